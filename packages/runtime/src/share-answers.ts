/** Asks once for all who want the same answer while the question is under way. An error is the answer of all of them, too. */
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
