"""Stop words by language: the function words that say nothing about a topic.

Short lists of our own, lower-case, words split at apostrophes as the analyzer
splits them. Keys are the stemmer's names; a language without a list is stemmed
and keeps every word.
"""

from __future__ import annotations

from functools import cache

__all__ = ["languages", "stop_words"]

_LISTS = {
    "english": """
        a about after all also am an and any are as at be because been before being both but by
        can could d did do does doing don down during each few for from further had has have
        having he her here hers him his how i if in into is it its just ll m me more most my no
        nor not now of off on once only or other our out over own re s same she should so some
        such t than that the their them then there these they this those through to too under
        until up upon us ve very was we were what when where which while who whom whose why will
        with would you your""",
    "german": """
        aber alle als am an auch auf aus bei beim bin bis bist da damit dann das dass dem den der
        des die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen
        einer eines er es etwas für gegen hat hatte hatten habe haben hier ich ihm ihn ihr ihre
        ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein keine können man
        mehr mit muss nach nicht noch nur ob oder ohne sein seine seinem seinen seiner sich sie
        sind so soll über um und uns unter vom von vor war waren warum was weil welche welcher
        welches wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen""",
    "french": """
        a ai au aux avec c ce ces cet cette ceux comme comment d dans de des dont du elle elles en
        entre est et était étaient être eu fait il ils j je l la le les leur leurs lui m ma mais me
        même mes moi mon n ne nos notre nous on ont ou où par pas peut plus pour pourquoi qu quand
        que quel quelle quelles quels qui s sa sans se sera ses si son sont sous sur t ta te tes
        toi ton tous tout toute toutes tu un une vers vos votre vous y été""",
    "spanish": """
        a al algo ante antes como cómo con cual cuál cuando cuándo de del desde donde dónde durante
        e el él ella ellas ellos en entre era eran es esa ese eso esta está están este esto estos
        fue fueron ha había han hasta hay la las le les lo los más me mi mientras mucho muy nada ni
        no nos nosotros o otra otro para pero por porque qué que quién quien se sea ser si sí sido
        sin sobre son su sus también te tiene tienen tu un una unas uno unos y ya yo""",
    "italian": """
        a ad agli ai al alla alle allo anche c che chi ci come con così cui d da dagli dai dal
        dalla dalle dallo degli dei del della delle dello di dove e è ed era erano essere fra gli
        ha hanno i il in io l la le lei li lo loro lui ma mi mio ne negli nei nel nella nelle
        nello noi non o ogni per perché più può qual quale quali quando quanto quella quello
        questa queste questi questo se sei si sia siamo sono sta stato su sua sue sui sul sulla
        suo suoi tra tu tutti tutto un una uno voi""",
    "portuguese": """
        a ao aos as às até com como da das de dela dele deles do dos e é ela elas ele eles em entre
        era essa esse esta está este eu foi foram há isso isto já lhe mais mas me mesmo meu minha
        muito na nas não nem no nos nós o onde os ou para pela pelas pelo pelos por porque qual
        quais quando que quem são se sem ser seu seus só sobre sua suas também te tem têm um uma
        umas uns você vocês""",
    "dutch": """
        aan al alles als andere bij daar dan dat de der deze die dit doch doen door dus een en er
        geen had hebben heeft het hier hij hoe hun ik in is ja je kan kon kunnen maar me meer men
        met mij mijn moet na naar niet nog nu of om omdat onder ons ook op over reeds te tegen toch
        toen tot u uit uw van veel voor waar waarom wanneer want waren was wat welke werd werden
        wie wij wil worden wordt zal ze zich zij zijn zo zonder zou""",
    "swedish": """
        alla allt än är att av blev bli blir de dem den denna deras dess dessa det detta dig din du
        då efter eller en ett från för ha hade han hans har hennes henne hon honom hur här i icke
        ingen inte jag kan kunde man med men mellan mig min mot mycket ni nu när någon något några
        och om oss på samma sedan sig sin sina sitt skulle som så till under upp ut vad var varför
        vara varit vem vi vid vilka vilken vilket åt över""",
    "danish": """
        ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
        disse dog du efter eller en end er et for fra ham han hans har have havde hende hendes her
        hos hun hvad hvem hvis hvor hvordan hvorfor hvilken i ikke ind jeg jer jo kan kunne man
        mange med meget men mellem mig min mod ned noget nogle nogen nu når og også om op os over
        på selv sig sin sit skal skulle som sådan thi til ud under var ved vi vil ville være""",
    "norwegian": """
        alle at av bare begge ble bli blir da de dem den denne der deres det dette deg din disse du
        eller en enn er et etter for fordi fra få ha hadde han hans har hennes her hun hva hvem hver
        hvilken hvis hvor hvordan hvorfor i ikke ingen inn jeg kan kom kunne man mange med meg meget
        mellom men min mot mye noe noen nå når og også om opp oss over på seg selv sin sitt skal
        skulle slik som så til ut under uten var ved vi vil ville vår være vært""",
    "finnish": """
        ei eivät ehkä en että he hän hänen ja jo joka jos jossa jotka kanssa kuin kuinka kun koska
        kuka me mikä miksi milloin missä minkä minä mitä mukaan mutta myös ne niiden niin noin nyt
        ole oli olivat olla olleet ollut on ovat se sekä sen siinä siitä sitä sinä tai tämä tämän
        tässä te vaan vai vain voi voidaan voivat""",
    "hungarian": """
        a az és hogy nem is egy ez azt ezt mint de ha már csak vagy volt voltak meg még el ki mi
        milyen miért mikor hol hogyan ami amely amelyek aki ki lehet van vannak lesz után között
        szerint ennek annak ezek azok ebben abban minden""",
    "romanian": """
        a acest această aceste acestea ai al ale am ar are au ca care că ce cel cea cele cei cine
        cu cum când cât dar de deci din doar după ea ei el era este eu fi fost în într între îi îl
        la le lor lui mai mult ne nici nu o pe pentru prin sa să sale sau se sunt său și ta te toate
        tot un una unde unei unor unui va vor""",
    "catalan": """
        a al als amb aquest aquesta aquestes aquests així com d de del dels des després doncs el
        ella ells els en entre era eren és és està fins ha han havia hi i ja l la les li llur lo
        més molt n no nosaltres o on per però perquè qual quals quan que què qui s sense ser seu
        seus seva seves si són sobre també tot tots un una unes uns va van""",
    "czech": """
        a aby ale ani ano asi až bez bude budou by byl byla byli bylo být co což do ho i já jak jako
        je jeho jej její jejich jen jenž ještě ji jsem jsme jsou k kde kdo kdy když která které
        který kteří ma má mezi mi může na nad ne nebo není než o od po pod podle pro proč proti
        protože před při s se si tak také tam ten tento to tohoto tu u v ve však více z za ze že""",
    "polish": """
        a aby ale bardzo bez być był była było były będzie co czy dla do gdy gdzie go i ich im ja
        jak jako je jego jej jest jeszcze już kiedy kto która które którego której który których
        którzy lub ma mnie może można na nad nie niż o od on ona oraz po pod ponieważ przed przez
        przy są się swoje ta tak także tam te tego tej ten to tu tylko tym u w we więc wszystko z
        za ze że""",
    "turkish": """
        acaba ama ancak bazı belki ben bir biri birkaç biz bu bunu bunun çok çünkü da daha de değil
        diye en gibi hangi hem hep her hiç için ile ise kadar ki kim mi mı mu mü nasıl ne neden
        nerede niçin o olan olarak oldu olduğu on ona onlar onun sen siz sonra şey şu tarafından ve
        veya ya yani""",
    "indonesian": """
        ada adalah agar akan antara apa apakah atau bagaimana bahwa bagi bisa dalam dan dapat dari
        dengan di dia hanya harus ia ini itu jika juga kami kapan karena ke kepada kita lebih
        mengapa mereka namun oleh pada para saat saya sebagai sebuah secara sehingga seperti
        serta siapa sudah tapi telah tersebut tidak untuk yang""",
    "russian": """
        а без бы был была были было быть в вам вас весь во вот все всё всех вы где да для до его
        ее её если есть еще ещё же за здесь и из или им их к как какая какие какой когда кто ли
        либо между мне может мы на над не него нее ней нет ни них но о об однако он она они оно от
        очень по под почему при с сколько со так также такой там тем то того тоже той только том
        ты у уже чего чем что чтобы эта эти это этого этой этом этот я""",
    "greek": """
        αλλά αν από αυτά αυτή αυτό αυτός για δεν είναι εκεί ενώ επίσης ή ήταν η θα και κατά με μέχρι
        μετά μη μην να ο οι όπως όταν ότι όχι πιο ποια ποιες ποιο ποιοι ποιος πολύ που πού πριν προς
        πώς σαν σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των
        ως ένα έναν ένας έχει έχουν μια μία""",
    "arabic": """
        أن أو أي إلى إن إذا التي الذي الذين الى اما أما ان او بعد بين تلك ثم حتى حيث ذلك عند عن على
        علي غير في فى قبل قد كان كانت كل كما كيف كم لا لأن لم لماذا لن له لها ليس ما ماذا مع متى من
        منذ منها هذا هذه هل هناك هو هي هم و ولا وقد وكان ولم وما ومن وهو وهي يكون""",
    "persian": """
        آن آنها است از اگر اما این با باید بر برای بود بودند به بین پس تا چرا چه چگونه چون چیست خود
        دارد دارند در را شد شده شود کجا کدام کرد کرده کند که کی ما من می نیز نیست هر هم همه و ولی
        هستند یا یک""",
    "hindi": """
        और इस इसके इसे उन उनके उस उसके एक ऐसे कई कब कर करता करते करने कहाँ कहा का कि किया किस किसी की
        कुछ के को कौन क्या क्यों गया जब जो तक तथा तो था थी थे दिया द्वारा ने पर बाद भी में यह या ये
        रहा रहे लिए वह वे व से ही हुआ हुई हुए है हैं हो होता होती होते""",
}


def languages() -> list[str]:
    """The languages that have stop words, in the order that settles ties."""
    return list(_LISTS)


@cache
def stop_words(language: str | None) -> frozenset[str]:
    """The stop words of `language`, none where there is no list.

    Example:
        >>> "the" in stop_words("english"), len(stop_words("tamil"))
        (True, 0)
    """
    return frozenset(_LISTS.get(language or "", "").split())
