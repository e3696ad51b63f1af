"""Short contracts, and texts that are none, for tests."""

__all__ = ["CONTRACTS", "OTHERS"]

# Name, number of clauses and text of short contracts as people write them.
CONTRACTS = {
    "nda_plain": """MUTUAL NON-DISCLOSURE AGREEMENT

This Agreement is made on 3 March 2025 between Halden Pumps Ltd ("Halden") and Orrin Labs GmbH \
("Orrin").

1. Purpose. The parties wish to discuss a joint product and will share Confidential \
Information for that purpose only.

2. Duty of care. Each party shall keep the other party's Confidential Information secret and \
shall not copy it, provided that it may be shown to employees who need it.

3. Exceptions. Clause 2 does not apply to information that is public, or that the receiving \
party knew before.

4. Term. This Agreement lasts two years from its date. The duty in clause 2 survives for three \
further years.

5. Law. This Agreement is governed by the laws of England.
""",
    "nda_md": """# Mutual Non-Disclosure Agreement

This Agreement is made between **Halden Pumps Ltd** ("Halden") and **Orrin Labs GmbH** \
("Orrin").

1. **Purpose.** The parties wish to discuss a joint product and will share Confidential \
Information for that purpose only.
2. **Duty of care.** Each party shall keep the other party's Confidential Information secret; \
provided that it may be shown to employees who need it.
3. **Exceptions.** Clause 2 does not apply to information that is public.
4. **Term.** This Agreement lasts two years. The duty in clause 2 survives for three further \
years.
5. **Law.** This Agreement is governed by the laws of England.
""",
    "excerpt": """7. Payment. The Customer shall pay each invoice within 30 days of receipt.

8. Late payment. If the Customer fails to pay on time, the Supplier may charge interest at 4 \
per cent a year, provided that it has sent a reminder.

9. Title. Title to the Goods shall pass to the Customer on payment in full.

10. Liability. Neither party shall be liable for loss of profit. The Supplier's liability \
shall not exceed the price of the Goods.

11. Termination. Either party may terminate this Contract by notice in writing if the other is \
in material breach and does not remedy it within 14 days.
""",
    "lease_md": """# Lease of Storage Unit 14

Between Kestrel Storage (the "Landlord") and Mira Duarte (the "Tenant").

## 1. Premises

1.1 The Landlord lets Unit 14 to the Tenant for the storage of household goods.

1.2 The Tenant shall not keep in the unit anything that burns, leaks or lives.

## 2. Rent

2.1 The Tenant shall pay 85 euros on the first day of each month.

2.2 Rent that is unpaid for ten days shall bear interest:

(a) at 5 per cent a year; and

(b) from the day on which it fell due,

provided that no interest is due below 10 euros.

## 3. End

3.1 Either party may end this lease by one month's notice.
""",
    "services_worded": """CONSULTING AGREEMENT

Section 1. Services. Consultant shall advise Client on the matters in Exhibit A.

Section 2. Fees. Client shall pay Consultant $150 an hour. Consultant shall not be paid for \
travel unless Client agreed to it before.

Section 3. Ownership. All work product belongs to Client, and Consultant hereby assigns it to \
Client.

Section 4. Termination. Either party may terminate this Agreement on ten days' notice.
""",
    "employment": """Employment contract

between Brandt Optics and Ms Ines Falk (the "Employee")

1. Position
The Employee is engaged as a lens grinder and shall report to the head of production.

2. Hours
The Employee shall work 38 hours a week. Overtime shall be paid at time and a half, provided \
that it was ordered.

3. Secrecy
The Employee shall not disclose trade secrets, during or after this contract.

4. Notice
Either party may terminate this contract with notice of two months.
""",
    "german": """Mietvertrag

zwischen Frau Adler (Vermieterin) und Herrn Brenner (Mieter)

§ 1 Mietgegenstand
Vermietet wird die Garage im Hof. Der Mieter verpflichtet sich, sie nur als Stellplatz zu \
nutzen.

§ 2 Miete
Die Miete beträgt 60 Euro im Monat und ist bis zum dritten Werktag zu zahlen.

§ 3 Kündigung
Dieser Vertrag kann von beiden Parteien mit einer Frist von einem Monat gekündigt werden.

§ 4 Haftung
Der Vermieter haftet nur für Vorsatz. Änderungen dieses Vertrages bedürfen der Schriftform.
""",
    "amendment": """FIRST AMENDMENT

1. Definitions. Words defined in the Agreement have the same meaning in this Amendment.

2. Term. Section 2 of the Agreement is hereby amended to read: "The term shall end on June 30, \
2027."

3. Fees. The annual fee shall be $12,000, payable in advance.

4. Effect. Except as amended hereby, the Agreement shall remain in full force.
""",
    "loan_parens": """Loan agreement between Ada Roth (the Lender) and Ben Kehl (the Borrower)

(1) The Lender lends the Borrower 4,000 euros, to be paid out on 1 May.

(2) The Borrower shall repay the loan in twenty equal instalments.

(3) If an instalment is late by more than 30 days the whole loan shall fall due, unless the \
Lender agrees otherwise in writing.

(4) The Borrower may repay early without charge; provided, however, that he gives a week's \
notice.

(5) This agreement is governed by Austrian law.
""",
    "terms_md": """# Terms of sale

1. **Offer.** Our offers are not binding. A contract is made when we confirm the order in \
writing.
2. **Price.** Prices are net. The Buyer shall pay within 14 days; the Seller may claim \
interest after that.
3. **Delivery.** The Seller shall deliver to the address in the order. Risk passes to the \
Buyer on delivery.
4. **Defects.** The Buyer shall notify defects within eight days. The Seller's liability is \
limited to repair or replacement, provided that this does not apply to intent.
5. **Law.** These terms are governed by Dutch law; the courts of Utrecht have jurisdiction.
""",
    "saas_md": """# Order form and services agreement

This Services Agreement ("Agreement") is entered into by Nimbus Ltd and the customer named \
above ("Customer").

### 1. Services

Nimbus shall provide the service as described in the documentation.

### 2. Customer duties

Customer shall not resell the service. Customer shall keep its passwords secret.

### 3. Fees

Customer will pay the fees within 30 days. Fees are not refundable, except as set out in \
section 5.

### 4. Warranty

Nimbus warrants that the service will work as documented. EXCEPT FOR THAT, NIMBUS GIVES NO \
WARRANTY.

### 5. Termination

Either party may terminate this Agreement for material breach.
""",
    "french": """CONTRAT DE PRESTATION

Entre la société Vallon (le Prestataire) et M. Serre (le Client)

Article 1 - Objet
Le présent contrat a pour objet l'entretien du jardin du Client.

Article 2 - Prix
Le Client s'engage à payer 200 euros par mois au Prestataire.

Article 3 - Durée
Le présent contrat est conclu pour un an. Chacune des parties peut le résilier avec un préavis \
d'un mois.

Article 4 - Responsabilité
Le Prestataire est responsable des dommages qu'il cause.
""",
}
# Texts with numbers that speak of contracts, parties and duties and are none.
OTHERS = {
    "runbook": """# Restore the database

You shall never restore over a running primary. See the service agreement with the hosting \
party for support hours.

1. Stop the writers.
2. Take the last snapshot and check its sum.
3. Restore it to the standby. If this fails, page the database team.
4. Promote the standby.
5. Tell the parties who asked that service is back.
""",
    "runbook_plain": """Failover of the message broker

1. Warn the on-call engineer. Each party in the incident channel shall confirm.

2. Drain the queue. Do not terminate the process before it is empty.

3. Switch the alias to the second node, provided that its health check is green.

4. Restart the consumers.

5. Close the incident, and write down which agreement on service levels was missed.
""",
    "policy": """# Remote work policy

1. **Scope.** This policy applies to all employees of the company.
2. **Eligibility.** Employees may work from home up to three days a week, provided that their \
manager agrees.
3. **Equipment.** The company provides a laptop. Employees shall not install software without \
approval.
4. **Security.** Employees shall lock their screen. Breach of this policy may lead to \
termination.
5. **Agreement.** Employees sign the remote work agreement once a year.
""",
    "policy_plain": """Travel and expenses policy

1. Purpose
This policy explains what the company pays for. It is not part of your employment contract.

2. Booking
Employees shall book through the travel desk. Flights over six hours may be in premium economy.

3. Receipts
Each claim shall have a receipt. Claims without one shall be refused.

4. Limits
Meals are paid up to 40 euros a day. Alcohol shall not be claimed.

5. Questions
Ask the finance team.
""",
    "privacy": """# Privacy notice

## 1. Who we are

We are Kestrel Storage and are responsible for your personal data.

## 2. What we collect

We collect your name, address and payment data when you enter into a contract with us.

## 3. Why we use it

We use it to perform our contract with you and pursuant to our legal duties.

## 4. Who receives it

We do not share it with third parties, except where the law requires it.

## 5. Your rights

You may ask for a copy of your data, and object to its use.
""",
    "tutorial": """# Build a contract generator in Python

In this tutorial we write a script that fills in an agreement from a template.

1. Install the package. You shall need Python 3.11.
2. Write a template with the text "This Agreement is made between {{ a }} and {{ b }}".
3. Load the parties from a JSON file.
4. Render the agreement and save it as a PDF.
5. Send it to the parties for signature.
""",
    "recipe": """Lemon tart

1. Make the pastry. It shall rest for an hour.

2. Blind-bake it at 180 degrees.

3. Whisk the eggs, sugar and lemon juice, provided that the butter is cool.

4. Pour the filling in and bake until it is set.

5. Serve it cold.
""",
    "release": """# Release notes 4.2

1. **Licence.** The licence agreement now names the licensee on each page.
2. **Contracts.** Smart contracts shall be compiled with version 0.8.
3. **Termination.** Workers terminate when the queue is empty.
4. **Parties.** The parties endpoint returns pages.
5. **Warranty.** The warranty field of parts is now optional.
""",
    "rfc": """3. Requirements

3.1 Sessions

The client shall open a session before it sends a request. The server shall answer within 30 \
seconds.

3.2 Errors

The server shall not close a session without an error code. The client shall retry at most \
three times.

3.3 Termination

Either party may terminate the session. The other party shall acknowledge it.

3.4 Security

Implementations shall support TLS 1.3. Notwithstanding section 3.2, a server may drop clients \
that do not.
""",
    "spec": """4 Requirements for pumps

4.1 The pump shall deliver 40 litres a minute.

4.2 The housing shall withstand 16 bar. It shall not leak.

4.3 The supplier shall mark each pump with its serial number.

4.4 The motor shall comply with IEC 60034.

4.5 Tests shall be done pursuant to ISO 9906, unless the buyer and the supplier agree otherwise.
""",
    "minutes": """Minutes of the works council, 4 June

1. The agreement on flexible hours was discussed. Both parties want to end it in autumn.

2. Ms Falk reported on the contract with the canteen. It shall be renewed.

3. The chair asked whether the notice period was long enough. It was agreed to ask a lawyer.

4. Next meeting: 2 July.
""",
    "news": """The merger agreement, explained

Two pump makers will become one. Here is what is in the agreement.

1. Shareholders of Halden receive 1.2 shares each. The parties agreed on this price in March.

2. Either party may terminate the deal until December if regulators object.

3. The buyer shall pay a fee of 40 million if it walks away.

4. The brand stays. Nobody is laid off before 2027, the company said.
""",
    "faq": """# Questions about your lease

1. When do I pay? Rent is due on the first of the month.
2. May I sublet? No. The lease agreement says that the tenant shall not sublet.
3. How do I end the lease? By a month's notice to the landlord.
4. Who repairs the heating? The landlord does.
""",
    "law_article": """Contract law in brief

A contract is an agreement that the law enforces. It needs an offer and an acceptance.

1. Offer. One party makes a proposal. It shall be certain.

2. Acceptance. The other party agrees to it. Silence is no acceptance.

3. Consideration. Each party gives something. A gift is no contract.

4. Breach. If a party does not perform, the other may claim damages or terminate the contract.
""",
    "checklist": """# Checklist before you sign a supplier contract

1. Does the agreement name the right parties?
2. Is liability capped, and at what sum?
3. Can we terminate for convenience, and what notice shall we give?
4. Which law governs the contract?
5. Who owns the work product?
""",
    "handbook_leave": """Leave

1. Annual leave
Every employee has 28 days. Leave shall be taken in the calendar year.

2. Sick leave
Employees shall tell their manager before 9 o'clock. A note from a doctor is needed from the \
fourth day.

3. Parental leave
Both parents may take leave, provided that they tell us eight weeks before.

4. Unpaid leave
It may be granted by agreement with the head of department.
""",
    "contributing": """# Contributing

By sending a pull request you agree that your contribution is licensed under the MIT licence.

1. Fork the repository.
2. Write a test. Every change shall have one.
3. Sign the contributor licence agreement, if you have not.
4. Open a pull request. The maintainers, or a party they name, will review it.
""",
    "onboarding": """Onboarding of a new supplier

1. Ask the supplier for its bank details. Two persons shall check them.

2. Send the framework agreement for signature. Legal shall keep the signed copy.

3. Enter the supplier in the system. The contract number shall be in the reference field.

4. Tell the buyer that orders may be placed.

5. Review the supplier's performance after a year. The buyer may terminate the agreement if it \
is poor.
""",
    "howto_md": """# How to terminate an agreement in the portal

You can end an agreement with a supplier at any time. The supplier is told by mail.

1. Open **Contracts** and choose the agreement.
2. Press **Terminate**. The dialog shows the parties and the notice period.
3. Enter the reason. It shall have at least ten characters.
4. Confirm. The agreement's state becomes *terminated*.
""",
    "game": """Rules of the tournament

1. Each party shall have two players. A party that comes late loses the round.

2. The parties agree on a board by lot.

3. A player shall not touch a piece that he does not mean to move, provided that it is not his \
first game.

4. The umpire's word shall be final.

5. A round ends when either party gives up.
""",
}
