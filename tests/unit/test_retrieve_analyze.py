import pytest

from seamline.errors import UnknownName
from seamline.retrieve.analyze import Analyzer, analyzer_for
from seamline.retrieve.language import detect_language
from seamline.retrieve.stopwords import languages, stop_words
from seamline.retrieve.words import bigram_code, bigram_codes, bigrams, split_identifier, split_text

SENTENCES = {
    "english": "The shop is closed on Monday but you can order it from our site.",
    "german": "Der Laden ist am Montag geschlossen, aber Sie können es auf der Seite bestellen.",
    "french": "La boutique est fermée le lundi, mais vous pouvez commander sur le site.",
    "spanish": "La tienda está cerrada el lunes, pero se puede pedir en la página y lo enviamos.",
    "italian": "Il negozio è chiuso il lunedì, ma si può ordinare sul sito con un conto.",
    "portuguese": "A loja não abre na segunda, mas você pode pedir pelo site com um cartão.",
    "dutch": "De winkel is op maandag dicht, maar je kunt het ook via de site van ons bestellen.",
    "swedish": "Affären är stängd på måndag, men du kan beställa på sidan och vi skickar det.",
    "danish": "Butikken er lukket mandag, men du kan bestille det her, hvis du ikke vil vente.",
    "norwegian": "Butikken er stengt på mandag, men du kan bestille her, og vi sender noe til deg.",
    "finnish": "Kauppa on kiinni maanantaina, mutta sen voi tilata ja se on sitten teillä.",
    "hungarian": "A bolt hétfőn zárva van, de az oldalon is lehet rendelni, és ezt el is küldjük.",
    "romanian": "Magazinul este închis luni, dar se poate comanda pe site și nu este greu.",
    "catalan": "La botiga és tancada dilluns, però es pot demanar amb un compte i per aquest web.",
    "czech": "Obchod je v pondělí zavřený, ale na stránce si můžete objednat to, co potřebujete.",
    "polish": "Sklep jest w poniedziałek zamknięty, ale na stronie można zamówić to, co się chce.",
    "turkish": "Dükkan pazartesi kapalı, ama bu sayfadan sipariş için bir hesap ile giriş gerek.",
    "indonesian": "Toko itu tutup pada hari Senin, tetapi anda dapat memesan dari situs ini.",
    "russian": "Магазин закрыт в понедельник, но вы можете заказать это на сайте, и мы пришлём.",
    "greek": "Το κατάστημα είναι κλειστό τη Δευτέρα, αλλά μπορείτε να παραγγείλετε από τη σελίδα.",
    "arabic": "المتجر مغلق يوم الاثنين ولكن يمكن الطلب من هذا الموقع على الإنترنت مع حساب",
    "persian": "فروشگاه در روز دوشنبه بسته است اما می توان از این سایت سفارش داد و آن را گرفت",
    "hindi": "दुकान सोमवार को बंद है लेकिन आप इस साइट से भी सामान के लिए कह सकते हैं",
}


@pytest.mark.parametrize("language", languages())
def test_a_language_is_told_by_its_stop_words(language):
    assert detect_language([SENTENCES[language]]) == language


@pytest.mark.parametrize("language", languages())
def test_every_listed_language_has_a_stemmer_and_clean_stop_words(language):
    Analyzer(language)
    words = stop_words(language)
    assert len(words) >= 30
    assert all(split_text(word) == ([word], []) and word == word.lower() for word in words)


@pytest.mark.parametrize(
    "texts",
    [[], [""], ["生命数耗完即算为什么"], ["x1 = y2 + 3"], ["1 2 3"], ["👍 👍🏽"]],
)
def test_without_evidence_there_is_no_language(texts):
    assert detect_language(texts) is None


def test_a_few_foreign_words_do_not_make_a_language():
    assert detect_language(["北京市的天气很好。" * 20 + " the API "]) is None


def test_detection_samples_evenly_and_a_bounded_part():
    texts = ["der die das und nicht"] * 10 + ["the and of is not"] * 10_000
    assert detect_language(texts) == "english"
    assert detect_language(["the and of " + "x" * 2000 + " der die das und ist" * 50]) == "english"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Cats CATS cat", ["cat", "cat", "cat"]),
        ("the of and", []),
        ("don't stop", ["stop"]),
        ("snake_case_name", ["snake_case_nam", "snake", "case", "name"]),
        ("parseHTTPHeader", ["parsehttphead", "pars", "http", "header"]),
        ("__init__ _word_ ____", ["init", "word"]),
        ("version 3.11 costs 1,000", ["version", "3", "11", "cost", "1", "000"]),
        ("ＦＵＬＬ ｗｉｄｔｈ １２", ["full", "width", "12"]),
        ("ﬁne", ["fine"]),
        ("naïve cafe\u0301", ["naïv", "café"]),
        ("北京市", ["北京", "京市"]),
        ("中 a 国", ["中", "国"]),
        ("Python的GIL锁", ["python", "gil", "的", "锁"]),
        ("カタカナ・テスト", ["カタ", "タカ", "カナ", "テス", "スト"]),
        ("한국어", ["한국", "국어"]),
        ("👍🏽 👩‍👩‍👧 ✔\ufe0f ok", ["ok"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_english_terms(text, terms):
    assert Analyzer("english").terms(text) == terms


def test_without_a_language_words_stay_as_they_are():
    assert Analyzer().terms("The running Cats") == ["the", "running", "cats"]


def test_marks_belong_to_their_word():
    assert split_text("हिन्दी भाषा") == (["हिन्दी", "भाषा"], [])


def test_auto_reads_the_texts():
    assert analyzer_for("auto", ["Das ist nicht der Weg und das Ziel."]).language == "german"
    assert analyzer_for(None, ["Das ist nicht der Weg."]).language is None


def test_an_unknown_language_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="no language named 'englsh'; did you mean 'english'"):
        Analyzer("englsh")


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [""],
        ["", "a cat", ""],
        ["The parseHTTPHeader of 北京市 中", "cats, 京市", "", "parse_http 中"],
    ],
)
def test_encoding_gives_each_text_its_own_terms(texts):
    analyzer = Analyzer("english")
    terms = analyzer.encode(texts)
    assert terms.n_texts == len(texts)
    for number, text in enumerate(texts):
        expected = sorted(map(terms.vocabulary.number, analyzer.terms(text)))
        assert sorted(terms.term[terms.text == number].tolist()) == expected
        assert -1 not in expected
    assert sorted(set(terms.term.tolist())) == list(range(len(terms.vocabulary)))


@pytest.mark.parametrize("term", ["dog", "京市", "中", "国", "x"])
def test_a_term_that_no_text_holds_has_no_number(term):
    assert Analyzer().encode(["cat 北京 市"]).vocabulary.number(term) == -1


def test_bigrams_and_their_codes_agree():
    runs = ["北京市", "中", "日本", "\U00020000\U00020001\U00020002"]
    assert sorted(bigram_codes(runs).tolist()) == sorted(map(bigram_code, bigrams(runs)))
    assert len({*map(bigram_code, bigrams(runs))}) == 6


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("plain", ["plain"]),
        ("Title", ["Title"]),
        ("HTTP", ["HTTP"]),
        ("HTTP2", ["HTTP2"]),
        ("iPhone", ["i", "Phone"]),
        ("userID2", ["user", "ID2"]),
        ("A_B", ["A", "B"]),
        ("ÉtéChaud", ["Été", "Chaud"]),
    ],
)
def test_parts_of_identifiers(word, parts):
    assert split_identifier(word) == parts


@pytest.mark.parametrize(
    ("text", "most_terms"),
    [
        ("a" * 5_000_000, 20_000),
        ("aB" * 2_500_000, 20_000),
        ("_" * 5_000_000, 0),
        ("e\u0301" * 2_500_000, 20_000),
        ("字" * 1_000_000, 1_000_000),
        ("กา" * 500_000, 1_000_000),
        ("👍\ufe0f" * 1_000_000, 0),
        ("\n" * 1_000_000, 0),
    ],
    ids=["letter", "camel", "underscore", "accents", "han", "thai", "emoji", "newlines"],
)
def test_a_text_without_spaces_gives_a_bounded_number_of_terms(text, most_terms):
    terms = Analyzer("english").encode([text])
    assert len(terms.term) <= most_terms
    assert len(terms.vocabulary) <= 3
