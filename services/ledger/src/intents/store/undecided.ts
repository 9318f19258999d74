/**
 * SQL of whether no answer has decided the intent `i` by the end of its watch. One that was reported as paid is listed by its
 * report. Only a last query is due so much later (`lastQueryAt`), so the index of what is due finds the few that there are.
 */
export const isUndecided = `i.next_action_at > (SELECT clock_timestamp()) + interval '1 day'
  AND i.cause = 'unconfirmed' AND i.settled_at IS NULL AND i.reported_at IS NULL`
