/** SQL that posts `minor` Kenyan cents between two accounts, past the ledger, which has no such operation. */
export function transferSql(eventKey: string, from: string, to: string, minor: number): string {
  return `
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT '${eventKey}', 0, '${from}', '${to}', 'KES', ${String(minor)}, now, now
    FROM (SELECT clock_timestamp()) one (now)`
}
