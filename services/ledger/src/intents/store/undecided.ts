/**
 * SQL of whether the intent `i` is undecided at the end of its watch. An intent that was reported as paid is listed by
 * its report instead. Only a last query (`lastQueryAt`) is due more than a day ahead, so the index on `next_action_at`
 * finds these.
 */
export const isUndecided = `i.next_action_at > (SELECT clock_timestamp()) + interval '1 day'
  AND i.cause = 'unconfirmed' AND i.settled_at IS NULL AND i.reported_at IS NULL`
