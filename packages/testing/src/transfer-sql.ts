/** Posts money in the journal past the ledger, by a way that it does not have: `minor` cents of Kenya between two accounts. */
export function transferSql(eventKey: string, from: string, to: string, minor: number): string {
  return `
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT '${eventKey}', 0, '${from}', '${to}', 'KES', ${String(minor)}, now, now
    FROM (SELECT clock_timestamp()) one (now)`
}
