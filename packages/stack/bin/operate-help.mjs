export const help = `Usage: npm run operate -- WHAT [options]

  audit                        asks every invariant where it lives; fails when one does not hold. Names what it could not ask
                               from here, such as keys in a cluster. --detached DIR: the files of detached months too.
                               --standby: the standbys of the ledgers' databases instead, which takes nothing from payments; says until when each has replayed what was committed
  provider check               looks at all between us and the providers that can be seen from here: settings, hosts with their
                               certificates, clock, credentials, statement, callback addresses. Its environment is a worker's: this one,
                               or that of --env FILE (KEY=VALUE a line). Moves no money; workers may fetch their tokens anew
  provider register            tells Safaricom the addresses for payments from the menu (Pay Bill or till), as a worker does when it
                               starts; says what proves them. Safe to repeat; --env FILE
  provider encrypt             asks for the password of M-PESA's initiator (or reads standard input), and prints
                               MPESA_SECURITY_CREDENTIAL for the --certificate FILE of Safaricom's portal
  provider pull-register       asks Safaricom once to give out the statement; --phone: the nominated number; --env FILE
  reconcile --day 2026-11-20   the providers' word against the journal; fails when they differ

  enroll NAME                  makes your key, protected by a passphrase, in DIR/operators/NAME.key. The first two are
                               enrolled at once; for later ones it prints what two enrolled operators have to do
  operators list               who is, was and is asked to be an operator
  operators ask NAME KEY       asks to enrol the key that enroll has printed
  operators approve ID         by another operator, by the id that enroll has printed (op_…); a name shows the ids to compare
  operators withdraw NAME      takes it back; also by the operator's id
  operators retire NAME        asks to retire an operator, whose key may be lost; two have to be left
  operators approve-retirement NAME, operators withdraw-retirement NAME

  suspense list                payments that are held, the oldest first
  suspense show RECEIPT        all that happened to a receipt, given as mpesa:QK12345678
  suspense apply RECEIPT       asks to give it to its owner: --checkout ID (exactly its amount) or --wallet ACCOUNT
  suspense refund RECEIPT      asks for a refund; --done: it went back at the provider already, as MTN's do, by its portal
  suspense approve ID          agrees to a placement or a refund that another operator asked for
  suspense withdraw ID         takes it back
  suspense close REFUND        asks to write down how it ended, if the provider has not reported it for 72 hours: --paid or
                               --not-paid, with where that was seen as --note
  suspense approve-closing REFUND --paid or --not-paid, as it is asked for, by another operator; suspense
                               withdraw-closing REFUND takes it back
  reports list                 what was reported as paid and is in no journal: signed by the provider, and Pay Bill messages
                               that the statement does not show yet
  reports close REPORT         asks to close one that the provider knows nothing of, with where that was seen as --note; money
                               that comes later is posted as ever
  reports post INTENT          asks to post the money of an attempt that was reported as paid: --receipt and --amount as the
                               provider's portal shows them; of the amount that was asked for only. Look the receipt up
                               twice: it is what a refund names, and another receipt of the attempt is posted no more
  reports approve ID, reports withdraw ID: by another operator, or takes it back
  wallet freeze ACCOUNT        asks to freeze a wallet, which then takes no money; wallet thaw ACCOUNT the reverse
  wallet approve ID, wallet withdraw ID: by another operator, or takes it back
  wallet cards ACCOUNT on|off  switches cards on or off for the checkouts of an account, at once and by one operator
  restored                     says that the database of --country was restored from an older copy on purpose: its ledger, which
                               waits for that, passes over the Pay Bill numbers that payers may hold, and is ready
  detach --month 2026-08       writes steps and message bodies of finished payments, up to the end of a month that is 90 days
                               past (the newest such month unless given), to a file in --detached DIR (the stack's folder
                               detached/), and removes them from the database of --country; run again after a crash, it goes
                               on, and without --month begins with the month that is not done. docs/retention.md
  password code USERNAME       prints, once, a code for an owner who has lost the password, when they have proven who they
                               are; with the codes of two operators the owner sets a new one in the hub, within an hour
  pin forget USERNAME          asks to take away a PIN that is lost or locked, when its owner has proven who they are
  pin approve USERNAME, pin withdraw USERNAME: by another operator within a day, or takes it back

  --identity WHO   whose key signs: a name in DIR/operators, or a file; also OPERATOR_IDENTITY of the environment. Not
                   needed where there is one. The passphrase is asked for, or read from the file that
                   OPERATOR_PASSPHRASE_FILE names, or from OPERATOR_PASSPHRASE
  --note TEXT      why
  --country ke|ug  whose ledger; else by the receipt's provider, and Kenya otherwise. Lists, audit, reconcile and
                   operators are of both without it
  --cell NUMBER    which cell of it, where a country has several: needed for what is not an id of ours, such as a receipt.
                   Lists, audit, reconcile and operators are of all cells without it; restored and detach of the first
  --dir PATH       the folder of the stack (.stack). LEDGER_ADDRESS, COUNTRY and TLS_DIR (the folder with the
                   operator's certificate) name a ledger elsewhere, ACCOUNTS_ADDRESS and TLS_DIR the accounts;
                   where one of them is set and another that it needs is not, nothing is done. OWNER_DATABASE_URL names
                   the database of a ledger, as its owner, for detach and audit --detached
  --help           this text

npm run audit is audit, and npm run reconcile is reconcile.
`

/** How to give each field that a service may refuse: shown with the refusal. */
export const shapes = {
  subject: 'give a receipt with its provider, as mpesa:QK12345678',
  day: 'give a day that has begun, as 2026-11-20',
  note: 'give 1 to 500 characters',
  intent_id: 'give the intent of the report, as pi_ and 24 letters and digits',
  receipt: "give the receipt as the provider's portal shows it, without the provider",
  amount: 'give it in whole units of money, as 500 or 500.00',
  on_standby: 'the ledger was given none (STANDBY_ADDRESS), or that server has been promoted',
}

/** The part of the help about one command; the whole of it where there is none. */
export function helpOf(words) {
  const about = words.slice(0, 2).join(' ')
  const part = help.split(/\n(?= {2}\S)/).filter((entry) => entry.startsWith(`  ${about}`))
  return about === '' || part.length === 0
    ? help
    : `Usage: npm run operate -- WHAT [options]\n\n${part.join('\n').trimEnd()}\n`
}
