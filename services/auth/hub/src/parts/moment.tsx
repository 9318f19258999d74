import { showExactMoment, showMoment } from '../show'

/** An instant, to the minute; to the second for those who look longer. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={showExactMoment(at)}>
      {showMoment(at)}
    </time>
  )
}
