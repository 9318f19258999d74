/** Runs a task `times` times, `width` runs at the same time. */
export async function inParallel(
  times: number,
  width: number,
  task: (turn: number) => Promise<void>,
): Promise<void> {
  let turn = 0
  const runner = async (): Promise<void> => {
    while (turn < times) {
      turn += 1
      await task(turn - 1)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, times) }, runner))
}
