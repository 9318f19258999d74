import type { Part } from './statement-slices'

/**
 * A stretch of the statement behind a reading that was listed, without a gap. What followed was answered in doubtful words: the
 * next row proves that there was no payment, also earlier than M-Pesa reaches back by then. Another reader has no such stretch.
 */
export type QuietStretch = Part | undefined

/** What is read when a window is: the stretch before it too, where there is no gap between the two. */
export function joined(quiet: QuietStretch, window: Part): Part {
  const { from } = quiet !== undefined && quiet.until >= window.from ? quiet : window
  return { from: from < window.from ? from : window.from, until: window.until }
}

export function quietAfter(
  quiet: QuietStretch,
  window: Part,
  result: 'read' | 'unapplied' | 'unanswered' | 'doubtful' | 'not_granted',
): QuietStretch {
  switch (result) {
    case 'read':
      return { from: window.until, until: window.until }
    case 'doubtful':
      return quiet === undefined || quiet.until < window.from
        ? undefined
        : { from: quiet.from, until: window.until }
    case 'unapplied':
    case 'unanswered':
      return quiet
    case 'not_granted':
      return undefined
  }
}
