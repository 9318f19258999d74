/** Calls with the same key at one time share one `ask`, and its answer or its error. */
export function shareAnswers<Key extends string, Answer>(
  ask: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const underWay = new Map<Key, Promise<Answer>>()
  return (key) => {
    const known = underWay.get(key)
    if (known !== undefined) return known
    const answer = ask(key).finally(() => underWay.delete(key))
    underWay.set(key, answer)
    return answer
  }
}
