/** Calls `ask` until it returns neither undefined nor false, for at most `deadlineMs`. The only wait in our tests. */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  deadlineMs = 180_000,
  everyMs = 20,
): Promise<Answer> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline)
      throw new Error(`It did not happen within ${String(deadlineMs)} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
