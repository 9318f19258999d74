import { countries, type Rail } from '@malipo/kernel/countries'
import { minorPerMajor } from '@malipo/kernel/money'
import { railAbilities } from '@malipo/kernel/rail-abilities'
import { providerOfRail } from '../../journal/store/receipts'
import {
  cameIn,
  type Invariant,
  isOf,
  since,
  touched,
  touchedBefore,
  touchedCheckouts,
  wasFrozen,
  wasPlaced,
  wentBack,
} from './invariant'
import {
  frozenElsewhere,
  placedElsewhere,
  refundedElsewhere,
  unmatchedRefunds,
} from './moved-money'
import { refundStands } from './refund-stands'
import { postingsByHand, unpostedReports } from './reported-money'

/** SQL of the amount, rounded up to whole major units. */
function wholeMajorUp(column: string): string {
  const unit = String(minorPerMajor)
  return `(${column} + ${unit} - 1) / ${unit} * ${unit}`
}

/** SQL of whether an attempt is over a rail of its country; `paybill` is one where a mobile rail has the menu. */
const isOfItsCountry = Object.values(countries)
  .map(({ country, mobileRails }) => {
    const rails: Rail[] = [...mobileRails, 'card']
    if (mobileRails.some((rail) => railAbilities[rail].hasMenu)) rails.push('paybill')
    return `(d.country = '${country}' AND i.rail IN ('${rails.join("', '")}'))`
  })
  .join(' OR ')

const stands = refundStands()
  .map(([status, isSent]) => `('${status}', ${String(isSent)})`)
  .join(', ')

/** SQL of whether a merchant got the money. LIKE takes a tenth of the time of a regular expression. */
const isMerchants = "(t.credit LIKE 'wallet:%' OR t.credit LIKE 'receivable:%')"

/**
 * SQL of the intents `r` of a condition, with what merchants got of their receipts: when the money came in, or when it
 * was placed. The two are queried one by one, because a join on either event would look up every intent.
 */
const credited = (condition: string) => `(
        SELECT r.*, t.minor, t.credit, true AS came_in FROM intents r
        JOIN transfers t ON t.event_key = ${cameIn('r')} AND ${isOf('receipt', 't')} AND ${isMerchants}
        WHERE ${condition} AND r.receipt IS NOT NULL
        UNION ALL
        SELECT r.*, t.minor, t.credit, false FROM intents r
        JOIN transfers t ON t.event_key = ${wasPlaced('r')} AND ${isOf('placed', 't')} AND ${isMerchants}
        WHERE ${condition} AND r.receipt IS NOT NULL AND r.disposition = 'merchant'
      )`

/** Numbers 1 to 16: the journal, receipts, wallets and suspense. */
export const moneyInvariants: readonly Invariant[] = [
  {
    number: 1,
    statement: 'every transfer moves money between two accounts of its currency',
    query: `
      SELECT event_key AS who FROM transfers t
      LEFT JOIN accounts d ON d.id = t.debit AND d.currency = t.currency
      LEFT JOIN accounts c ON c.id = t.credit AND c.currency = t.currency
      WHERE t.created_at >= ${since} AND (t.debit = t.credit OR d.id IS NULL OR c.id IS NULL)`,
  },
  {
    number: 2,
    statement: 'no transfer is of nothing',
    query: `SELECT event_key AS who FROM transfers WHERE created_at >= ${since} AND minor <= 0`,
  },
  {
    number: 3,
    statement: 'what went into all accounts of a currency came out of others of it',
    query: `
      SELECT currency AS who FROM (
        SELECT a.currency, t.minor FROM transfers t JOIN accounts a ON a.id = t.credit WHERE t.created_at >= ${since}
        UNION ALL
        SELECT a.currency, -t.minor FROM transfers t JOIN accounts a ON a.id = t.debit WHERE t.created_at >= ${since}
      ) entries GROUP BY currency HAVING sum(minor) <> 0`,
  },
  {
    number: 4,
    statement: 'everything is of this country',
    query: `
      SELECT t.event_key AS who FROM transfers t, deployment d
      WHERE t.created_at >= ${since} AND t.currency <> d.currency
      UNION ALL
      SELECT a.id FROM accounts a, deployment d WHERE a.currency <> d.currency
      UNION ALL
      SELECT c.id FROM checkouts c, deployment d
      WHERE c.created_at >= ${since} AND c.id NOT LIKE 'cs\\_' || d.country || '\\_%'
      UNION ALL
      SELECT i.id FROM intents i, deployment d WHERE i.id IN ${touched}
        AND NOT (${isOfItsCountry})`,
  },
  {
    number: 5,
    statement: 'the sealed journal is as it was sealed, and the seals follow one another',
    query: `
      SELECT 'seal ' || s.seal AS who FROM journal_seals s
      LEFT JOIN journal_seals p ON p.seal = s.seal - 1
      WHERE s.until_at >= ${since} AND (
        (p.seal IS NULL) <> (s.seal = 1) OR p.until_at <> s.after_at
        OR s.digest <> seal_digest(coalesce(p.digest, ''), s.after_at, s.until_at))
      UNION ALL
      SELECT event_key FROM transfers
      WHERE created_at <= (SELECT after_at FROM journal_seals WHERE seal = 1) AND created_at >= ${since}`,
  },
  {
    number: 6,
    statement: 'a balance is the sum of transfers, and stored nowhere',
    query: `
      SELECT table_name || '.' || column_name AS who FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name ~ 'balance'`,
  },
  {
    number: 7,
    statement: 'no wallet and no suspense account is negative',
    query: `
      SELECT debit AS who FROM transfers WHERE created_at >= ${since} AND debit ~ '^(wallet|suspense):'
      GROUP BY debit HAVING balance_of(debit) < 0`,
  },
  {
    number: 8,
    statement: 'every receipt of an intent is one transfer of its amount, and the other way round',
    query: `
      SELECT i.id AS who FROM intents i WHERE i.id IN ${touched} AND i.receipt IS NOT NULL AND i.rail <> 'card'
        AND NOT EXISTS (
          SELECT FROM transfers t WHERE t.event_key = ${cameIn('i')} AND t.minor = i.settled_minor)
      UNION ALL
      SELECT min(i.id) FROM intents i WHERE i.id IN ${touched} AND i.receipt IS NOT NULL
        AND i.disposition NOT IN ('placed')
      GROUP BY ${providerOfRail('i.rail')}, i.receipt HAVING count(*) > 1
      UNION ALL
      SELECT t.event_key FROM transfers t WHERE t.created_at >= ${since} AND t.event_key LIKE 'receipt:%'
        AND NOT EXISTS (SELECT FROM intents i
          WHERE ${cameIn('i')} = t.event_key AND i.id IN ${touchedBefore})
        -- A receipt that belongs to no intent is in a suspense item of the same amount.
        AND NOT EXISTS (
          SELECT FROM suspense_items s
          WHERE s.event_key = t.event_key AND s.intent_id IS NULL AND s.minor = t.minor)`,
  },
  {
    number: 9,
    statement:
      'all money was posted on strong evidence, and all that was reported as paid was posted in ten minutes',
    query: `
      SELECT t.event_key AS who FROM transfers t
      WHERE t.created_at >= ${since} AND t.event_key LIKE 'receipt:%' AND NOT EXISTS (
        SELECT FROM provider_messages m
        WHERE 'receipt:' || ${providerOfRail('m.rail')} || ':' || m.receipt = t.event_key
          AND m.applied_at >= ${since} - interval '1 minute' AND m.result = 'settled' AND m.strength IN ('E3', 'E4'))
      UNION ALL
      SELECT m.id FROM provider_messages m
      WHERE m.applied_at >= ${since} AND m.fact = 'receipt' AND m.strength IN ('E3', 'E4') AND m.refund_id IS NULL
        AND m.result <> 'contradiction'
        -- A callback whose amount waits for the provider's own answer is checked with the reports below.
        AND (m.strength = 'E4' OR m.result <> 'kept') AND NOT EXISTS (
          SELECT FROM transfers t WHERE t.event_key = 'receipt:' || ${providerOfRail('m.rail')} || ':' || m.receipt)
      UNION ALL
      SELECT m.id FROM provider_messages m JOIN refunds r ON r.id = m.refund_id
      WHERE m.applied_at >= ${since} AND m.result = 'settled' AND NOT EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'refunded:' || r.provider || ':' || r.receipt)
      UNION ALL
      ${postingsByHand}`,
    openQuery: unpostedReports,
  },
  {
    number: 10,
    statement:
      'a float grows by receipts of its provider and shrinks by refunds of them, and by nothing else',
    query: `
      SELECT event_key AS who FROM transfers WHERE created_at >= ${since} AND (
        (debit LIKE 'float:%' AND NOT starts_with(event_key, 'receipt:' || substr(debit, 7) || ':'))
        OR (credit LIKE 'float:%' AND NOT starts_with(event_key, 'refunded:' || substr(credit, 7) || ':')))`,
  },
  {
    number: 11,
    statement:
      'a merchant gets what the payer of a checkout was asked for, or nothing, and what is for a handle',
    query: `
      SELECT c.id AS who FROM checkouts c
      JOIN ${credited(`r.checkout_id IN ${touchedCheckouts}`)} got ON got.checkout_id = c.id
      -- Frozen money that was given back counts once, by its placement: a part of it may have paid what its owner owes.
      WHERE NOT (got.came_in
          AND EXISTS (SELECT FROM transfers f WHERE ${isOf('frozen', 'f')} AND f.event_key = ${wasFrozen('got')})
          AND EXISTS (SELECT FROM transfers p WHERE ${isOf('placed', 'p')} AND p.event_key = ${wasPlaced('got')}))
      GROUP BY c.id HAVING sum(got.minor) <> max(got.asked_minor)
        OR bool_or(got.asked_minor NOT IN (c.amount_minor, ${wholeMajorUp('c.amount_minor')}))
        OR bool_or(substr(got.credit, strpos(got.credit, ':') + 1) <> c.account_id)
      UNION ALL
      SELECT c.id FROM checkouts c JOIN intents i ON i.checkout_id = c.id AND i.disposition = 'merchant'
      WHERE i.id IN ${touched}
        AND NOT EXISTS (
          SELECT FROM transfers t WHERE t.event_key = ${cameIn('i')} AND t.credit = 'wallet:' || c.account_id)
        AND NOT EXISTS (
          SELECT FROM transfers t WHERE ${isOf('placed', 't')} AND t.event_key = ${wasPlaced('i')}
            AND t.credit = 'wallet:' || c.account_id)
      UNION ALL
      -- Money for a handle goes to the owner of the handle, and a prompt for a handle is paid in the asked amount.
      SELECT got.id FROM ${credited(`r.id IN ${touched}`)} got
      WHERE got.credit LIKE 'wallet:%' AND got.account_id IS NOT NULL
        AND (got.credit <> 'wallet:' || got.account_id
          OR (got.attempt_reference IS NOT NULL AND got.minor <> got.asked_minor)
          OR got.asked_minor NOT IN (got.amount_minor, ${wholeMajorUp('got.amount_minor')}))
      UNION ALL
      ${placedElsewhere}
      UNION ALL
      SELECT id FROM intents WHERE id IN ${touched}
        AND (num_nonnulls(checkout_id, account_id) <> 1 OR (account_id IS NULL) <> (handle IS NULL))`,
  },
  {
    number: 12,
    statement: 'a completed checkout was completed by one intent, of exactly what it asked for',
    query: `
      SELECT c.id AS who FROM checkouts c JOIN intents i ON i.checkout_id = c.id AND i.disposition = 'merchant'
      WHERE c.id IN ${touchedCheckouts}
      GROUP BY c.id HAVING count(*) > 1 OR bool_or(i.settled_minor <> i.asked_minor)`,
  },
  {
    number: 13,
    statement: 'suspense holds its open items, each of one receipt and for a reason',
    query: `
      SELECT a.id AS who FROM accounts a WHERE a.id LIKE 'suspense:%' AND balance_of(a.id) <> (
        SELECT coalesce(sum(o.minor), 0) FROM open_suspense() o WHERE 'suspense:' || o.reason = a.id)
      UNION ALL
      SELECT s.event_key FROM suspense_items s WHERE s.opened_at >= ${since} AND s.minor IS DISTINCT FROM (
        SELECT sum(t.minor) FROM transfers t WHERE t.event_key = s.event_key
          AND t.credit = 'suspense:' || s.reason AND t.event_key ~ '^(receipt|frozen):')
      UNION ALL
      ${frozenElsewhere}`,
  },
  {
    number: 14,
    statement:
      'of a card payment the wallet gets the amount and we the fee, or suspense holds all that was paid',
    query: `
      SELECT i.id AS who FROM intents i LEFT JOIN card_sessions c ON c.intent_id = i.id
      LEFT JOIN transfers t ON t.event_key = ${cameIn('i')} AND t.debit = 'float:card'
      WHERE i.id IN ${touched} AND i.rail = 'card' AND i.receipt IS NOT NULL
        -- An intent made by placing held money has no card session: its money came in under the intent that brought it.
        AND (c.intent_id IS NOT NULL OR i.disposition LIKE 'suspense\\_%')
      GROUP BY i.id, c.intent_id HAVING
        coalesce(sum(t.minor) FILTER (WHERE t.credit !~ '^fee:'), 0) <> i.settled_minor
        OR coalesce(sum(t.minor) FILTER (WHERE t.credit = 'fee:card'), 0)
          <> CASE i.disposition WHEN 'merchant' THEN c.fee_minor ELSE 0 END`,
  },
  {
    number: 15,
    statement:
      'what is reversed came in once and went back once, in full, and nothing else went back',
    query: `
      SELECT i.id AS who FROM intents i WHERE i.id IN ${touched} AND i.status = 'reversed' AND i.settled_minor
        IS DISTINCT FROM (
          SELECT sum(t.minor) FROM transfers t WHERE t.event_key = ${wentBack('i')}
            AND t.credit LIKE 'float:%' AND t.debit NOT LIKE 'fee:%')
      UNION ALL
      -- The fee of a card payment goes back too, so the float gives back all that came in.
      SELECT i.id FROM intents i WHERE i.id IN ${touched} AND i.status = 'reversed' AND (
        SELECT sum(t.minor) FROM transfers t WHERE t.event_key = ${cameIn('i')} AND t.debit LIKE 'float:%')
        IS DISTINCT FROM (
          SELECT sum(t.minor) FROM transfers t WHERE t.event_key = ${wentBack('i')} AND t.credit LIKE 'float:%')
      UNION ALL
      SELECT t.event_key FROM transfers t WHERE t.created_at >= ${since} AND t.event_key LIKE 'refunded:%'
        AND NOT EXISTS (
          SELECT FROM intents i WHERE ${wentBack('i')} = t.event_key AND i.status = 'reversed'
            AND i.id IN ${touchedBefore})
        AND NOT EXISTS (
          SELECT FROM suspense_items s
          WHERE s.event_key = 'receipt:' || subject_of(t.event_key) AND s.intent_id IS NULL)
      UNION ALL
      ${refundedElsewhere}`,
  },
  {
    number: 16,
    statement: 'no refund exceeds its receipt',
    // Two more queries find a refund whose status or sending contradicts the table of refunds, as no CHECK compares
    // them, and a refund that contradicts the journal.
    query: `
      SELECT event_key AS who FROM transfers r
      WHERE created_at >= ${since} AND event_key LIKE 'refunded:%'
      GROUP BY event_key HAVING sum(minor) > (
        SELECT coalesce(sum(minor), 0) FROM transfers t
        WHERE t.event_key = 'receipt:' || subject_of(r.event_key))
      UNION ALL
      SELECT id FROM refunds WHERE (status, submitted_at IS NOT NULL) NOT IN (${stands})
        OR (status = 'paid' AND sent_by = 'us' AND submitted_at IS NULL)
      UNION ALL
      ${unmatchedRefunds}`,
  },
]
