import type { TestDatabase } from '@malipo/testing/database'
import { intentMachine } from './domain/intent'

/** The steps of the table, as `from event to`. */
const steps = Object.entries(intentMachine).flatMap(([from, row]) =>
  Object.entries(row).flatMap(([event, to]) =>
    to === null || to === from ? [] : [`${from} ${event} ${to}`],
  ),
)
const allSteps = ['none accepted created', 'none matched completed', ...steps]
const quoted = allSteps.map((step) => `'${step}'`).join(', ')

/**
 * What must hold at every moment, as queries that return no rows. The numbers are those of the design's list of 32;
 * where a table cannot even hold the violation there is nothing to ask.
 */
export const invariants = {
  '1 every transfer moves money between two accounts of its currency': `
    SELECT event_key FROM transfers t
    WHERE minor <= 0 OR debit = credit
      OR (SELECT count(*) FROM accounts a WHERE a.id IN (t.debit, t.credit) AND a.currency = t.currency) <> 2`,
  '4 everything is of this country': `
    SELECT t.event_key FROM transfers t, deployment d WHERE t.currency <> d.currency
    UNION ALL
    SELECT c.id FROM checkouts c, deployment d WHERE c.id NOT LIKE 'cs\\_' || d.country || '\\_%'`,
  '7 no wallet and no suspense account is negative': `
    SELECT id FROM accounts a WHERE id !~ '^float:'
      AND (SELECT coalesce(sum(minor), 0) FROM transfers WHERE credit = a.id)
        < (SELECT coalesce(sum(minor), 0) FROM transfers WHERE debit = a.id)`,
  '8 every receipt of an intent is one transfer of its amount, and the other way round': `
    SELECT coalesce(t.event_key, i.id) FROM intents i
    FULL JOIN transfers t ON t.event_key = 'receipt:' || decide('provider', i.rail) || ':' || i.receipt
      AND t.minor = i.settled_minor
    WHERE (i.receipt IS NOT NULL OR i.id IS NULL)
      AND (t.event_key IS NULL OR i.id IS NULL) AND coalesce(t.event_key, 'receipt:') LIKE 'receipt:%'
      -- Money that nobody can be found for has an item instead.
      AND NOT EXISTS (
        SELECT FROM suspense_items s
        WHERE s.event_key = t.event_key AND s.intent_id IS NULL AND s.minor = t.minor)`,
  '9 all money was posted on strong evidence, and all strong evidence was posted': `
    SELECT i.id FROM intents i WHERE i.receipt IS NOT NULL AND NOT EXISTS (
      SELECT FROM provider_messages m
      WHERE m.receipt = i.receipt AND m.result = 'settled' AND m.strength IN ('E3', 'E4'))
    UNION ALL
    SELECT m.id FROM provider_messages m
    WHERE m.fact = 'receipt' AND m.strength IN ('E3', 'E4') AND m.result <> 'contradiction' AND NOT EXISTS (
      SELECT FROM transfers t WHERE t.event_key = 'receipt:' || decide('provider', m.rail) || ':' || m.receipt)`,
  '11 a merchant gets the amount of a checkout, or nothing': `
    SELECT c.id FROM checkouts c JOIN intents i ON i.checkout_id = c.id AND i.disposition = 'merchant'
    JOIN transfers t ON t.event_key = 'receipt:' || decide('provider', i.rail) || ':' || i.receipt
    GROUP BY c.id HAVING sum(t.minor) <> c.amount_minor OR count(*) > 1
      OR bool_or(t.credit <> 'wallet:' || c.account_id)`,
  '11 money for a handle goes to its owner, and a prompt pays what it asked for': `
    SELECT i.id FROM intents i
    JOIN transfers t ON t.event_key = 'receipt:' || decide('provider', i.rail) || ':' || i.receipt
    WHERE i.account_id IS NOT NULL AND i.disposition = 'merchant' AND (
      t.credit <> 'wallet:' || i.account_id OR (i.attempt_reference IS NOT NULL AND t.minor <> i.amount_minor))
    UNION ALL
    -- An intent pays a checkout or a handle.
    SELECT id FROM intents
    WHERE num_nonnulls(checkout_id, account_id) <> 1 OR (account_id IS NULL) <> (handle IS NULL)`,
  '13 suspense holds its open items, each for a reason': `
    SELECT a.id FROM accounts a WHERE a.id LIKE 'suspense:%'
      AND (SELECT coalesce(sum(minor), 0) FROM transfers WHERE credit = a.id)
        <> (SELECT coalesce(sum(minor), 0) FROM suspense_items WHERE 'suspense:' || reason = a.id)`,
  '17 every step is in the table, the steps join, and the last is where the intent is': `
    SELECT intent_id FROM (
      SELECT intent_id, from_status, event, to_status,
        lag(to_status, 1, 'none') OVER (PARTITION BY intent_id ORDER BY step) AS came_from
      FROM intent_steps
    ) walked
    WHERE from_status <> came_from OR from_status || ' ' || event || ' ' || to_status NOT IN (${quoted})
    UNION ALL
    SELECT i.id FROM intents i WHERE i.status IS DISTINCT FROM (
      SELECT to_status FROM intent_steps s WHERE s.intent_id = i.id ORDER BY step DESC LIMIT 1)`,
  '19 whoever has money has a receipt and a time, and nobody else': `
    SELECT id FROM intents WHERE num_nonnulls(settled_minor, receipt, settled_at, disposition)
      <> CASE WHEN status IN ('completed', 'reversed') THEN 4 ELSE 0 END`,
  '20 a checkout has at most one intent in flight': `
    SELECT checkout_id FROM intents
    WHERE checkout_id IS NOT NULL AND status IN ('created', 'reserved', 'submitted', 'pending')
    GROUP BY checkout_id HAVING count(*) > 1`,
  '21 nobody waits past a deadline': `
    SELECT id FROM intents WHERE status IN ('created', 'reserved', 'submitted', 'pending')
      AND (deadline_at IS NULL OR deadline_at < clock_timestamp() - interval '30 seconds')`,
  '24 no prompt went out before it was written down': `
    SELECT i.id FROM intents i LEFT JOIN wire_attempts w ON w.intent_id = i.id
    WHERE (i.submitted_at IS NULL) <> (w.intent_id IS NULL) OR w.began_at < i.submitted_at`,
  '26 every message has a result or a time to be read': `
    SELECT id FROM provider_messages WHERE num_nonnulls(result, next_action_at) <> 1`,
  '30 every amount is within the limits of its country': `
    SELECT asked.id FROM (
      SELECT id, amount_minor FROM checkouts
      UNION ALL
      -- What a payer typed in the menu is not asked for, and goes to suspense when it is outside of them.
      SELECT id, amount_minor FROM intents WHERE rail <> 'paybill' OR disposition = 'merchant'
    ) asked, deployment d
    WHERE amount_minor < 100
      OR amount_minor > CASE d.country WHEN 'ke' THEN 15000000 ELSE 500000000 END
      OR (d.country = 'ug' AND amount_minor % 100 <> 0)`,
  '31 no phone has more than five prompts in an hour, and no checkout more than twenty': `
    SELECT i.id FROM intents i WHERE i.callback_secret IS NOT NULL AND (
      (SELECT count(*) FROM intents o WHERE o.phone = i.phone AND o.callback_secret IS NOT NULL
        AND o.created_at <= i.created_at AND o.created_at > i.created_at - interval '1 hour') > 5
      OR (SELECT count(*) FROM intents o WHERE o.checkout_id = i.checkout_id AND o.callback_secret IS NOT NULL
        AND o.created_at <= i.created_at AND o.created_at > i.created_at - interval '1 hour') > 20)`,
  '32 nothing ends before it began': `
    SELECT id FROM checkouts WHERE expires_at <= created_at
    UNION ALL
    SELECT id FROM intents WHERE settled_at < created_at OR ended_at < created_at OR submitted_at < created_at`,
} as const

/** The invariants that do not hold, each with who breaks it. */
export async function brokenInvariants(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await database.pool.query<Record<string, unknown>>(query)
    if (rows.length > 0) broken[name] = rows.map((row) => Object.values(row)[0])
  }
  return broken
}
