import { countries } from '@malipo/kernel/countries'
import { minorPerMajor } from '@malipo/kernel/money'
import { damm } from '../../pay-bill/rules/pay-bill'
import { type Invariant, since, touched, wasPlaced } from './invariant'

/** The pattern of a secret key, which no stored text may contain. */
const keyPattern = `'mkp_(test|live)_[A-Z2-7]{52}'`

/** The check digit of eight digits, looked up step by step; 0 when they are in order. */
const dammTable = damm.flat().join('')
const checkDigit = Array.from({ length: 8 }, (_, at) => String(at + 3)).reduce(
  (interim, at) =>
    `substr('${dammTable}', 10 * ${interim} + substr(number, ${at}, 1)::int + 1, 1)::int`,
  '0',
)

/** SQL: the amount is outside the limits of its country. */
const outsideLimits = Object.values(countries)
  .map(({ country, minMinor, maxMinor, wholeMajorOnly }) => {
    const unit = wholeMajorOnly ? minorPerMajor : 1n
    const isWithin = `amount_minor BETWEEN ${String(minMinor)} AND ${String(maxMinor)} AND amount_minor % ${String(unit)} = 0`
    return `(d.country = '${country}' AND NOT (${isWithin}))`
  })
  .join(' OR ')

/** SQL of the intents by which a phone or a checkout had more than `max` prompts within an hour. */
function promptsWithinAnHour(same: 'phone' | 'checkout_id', max: number): string {
  return `
      SELECT id AS who FROM (
        SELECT id, count(*) OVER (
          PARTITION BY ${same} ORDER BY created_at RANGE BETWEEN interval '1 hour' - interval '1 us' PRECEDING AND CURRENT ROW) AS prompts
        FROM intents WHERE callback_secret IS NOT NULL
          AND ${same} IN (SELECT ${same} FROM intents WHERE id IN ${touched})
      ) counted WHERE prompts > ${String(max)} AND id IN ${touched}`
}

/** Prompts, keys of callers, numbers, limits and times: numbers 23 to 32, but for 27, which is the key service's. */
export const wireInvariants: readonly Invariant[] = [
  {
    number: 23,
    statement: 'an intent has at most one wire attempt',
    query: `
      SELECT intent_id AS who FROM wire_attempts
      WHERE intent_id IN ${touched} GROUP BY intent_id HAVING count(*) > 1`,
  },
  {
    number: 24,
    statement: 'no prompt went out before it was written down',
    query: `
      SELECT i.id AS who FROM intents i LEFT JOIN wire_attempts w ON w.intent_id = i.id
      WHERE i.id IN ${touched} AND ((i.submitted_at IS NULL) <> (w.intent_id IS NULL) OR w.began_at < i.submitted_at)`,
  },
  {
    number: 25,
    statement: 'what a key made is there, once',
    query: `
      SELECT scope || ' ' || key AS who FROM idempotency_keys k
      LEFT JOIN checkouts c ON c.id = k.checkout_id LEFT JOIN intents i ON i.id = k.intent_id
      WHERE k.created_at >= ${since}
        AND (octet_length(fingerprint) <> 32 OR num_nonnulls(c.id, i.id) <> 1)
      UNION ALL
      SELECT min(scope) FROM idempotency_keys
      WHERE created_at >= ${since} GROUP BY scope, key HAVING count(*) > 1`,
  },
  {
    number: 26,
    statement: 'every message has a result or a time to be read',
    query: `
      SELECT id AS who FROM provider_messages
      WHERE applied_at >= ${since} AND num_nonnulls(result, next_action_at) <> 1
      UNION ALL
      SELECT id FROM provider_messages
      WHERE received_at >= ${since} AND applied_at IS NULL AND (next_action_at IS NULL OR result IS NOT NULL)`,
  },
  {
    number: 28,
    statement: 'no text has a secret key in it',
    query: `
      SELECT id AS who FROM checkouts
      WHERE created_at >= ${since} AND concat_ws(' ', reference, description, return_url) ~ ${keyPattern}
      UNION ALL
      SELECT 'a key of ' || scope FROM idempotency_keys WHERE created_at >= ${since} AND key ~ ${keyPattern}
      UNION ALL
      SELECT id FROM provider_messages
      -- Only bodies with the first letters of a key, which are few, are turned into text.
      WHERE applied_at >= ${since} AND position('mkp_'::bytea IN body) > 0 AND encode(body, 'escape') ~ ${keyPattern}`,
  },
  {
    number: 29,
    statement: "a Pay Bill number carries its check digit and is one checkout's",
    query: `
      SELECT number AS who FROM pay_bill_numbers
      WHERE given_at >= ${since} AND (number !~ '^CS[0-9]{8}$' OR ${checkDigit} <> 0)
      UNION ALL
      SELECT number FROM pay_bill_numbers
      WHERE number IN (SELECT number FROM pay_bill_numbers WHERE given_at >= ${since})
      GROUP BY number HAVING count(*) > 1`,
  },
  {
    number: 30,
    statement: 'every amount is within the limits of its country',
    query: `
      SELECT asked.id AS who FROM (
        SELECT id, amount_minor FROM checkouts WHERE created_at >= ${since}
        UNION ALL
        -- No payer was asked for the amount of a payment from the menu. Outside the limits it stays in suspense until
        -- operators place it, so it is checked only if the merchant got it directly.
        SELECT i.id, i.amount_minor FROM intents i
        WHERE i.id IN ${touched} AND (i.rail <> 'paybill' OR (i.disposition = 'merchant'
          AND NOT EXISTS (SELECT FROM transfers t WHERE t.event_key = ${wasPlaced('i')})))
      ) asked, deployment d
      WHERE ${outsideLimits}`,
  },
  {
    number: 31,
    statement: 'no phone has more than five prompts in an hour, and no checkout more than twenty',
    query: `
      ${promptsWithinAnHour('phone', 5)}
      UNION ALL
      ${promptsWithinAnHour('checkout_id', 20)}`,
  },
  {
    number: 32,
    statement: 'nothing ends before it began',
    query: `
      SELECT id AS who FROM checkouts WHERE created_at >= ${since} AND expires_at <= created_at
      UNION ALL
      SELECT id FROM intents WHERE id IN ${touched}
        AND (settled_at < created_at OR ended_at < created_at OR submitted_at < created_at)`,
  },
]
