import { showExactMoment, showMoment } from '../show'

/** An instant, shown to the minute; the tooltip has the second. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={showExactMoment(at)}>
      {showMoment(at)}
    </time>
  )
}
