/**
 * A person as the ledger keeps them: however an identity provider or a hand spells the subject, it is one person. The ledger
 * does the same (`readSubject` of its operators), so a difference between the two can only refuse.
 */
export function personOf(subject: string): string {
  return subject.normalize('NFKC').trim().toLowerCase()
}
