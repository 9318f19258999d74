import type { ComponentChildren } from 'preact'
import { FormNotice } from './form-notice'
import { Failed, Loading } from './states'
import type { Pages } from './use-pages'

/** A paged list in all its states: loading, refused, empty, or loaded, with a button for more. */
export function Paged<Row>(props: {
  readonly what: string
  readonly pages: Pages<Row>
  readonly empty: ComponentChildren
  readonly children: (rows: readonly Row[]) => ComponentChildren
}) {
  const { what, pages, empty, children } = props
  const { loaded, trouble, isBusy, more, again } = pages
  if (loaded.state === 'loading') return <Loading what={what} />
  if (loaded.state === 'failed') return <Failed refusal={loaded.refusal} again={again} />
  const { rows, hasMore } = loaded.data
  if (rows.length === 0) return <>{empty}</>
  return (
    <>
      {children(rows)}
      <FormNotice refusal={trouble} />
      {hasMore && (
        <button
          type="button"
          class="button quiet fitting more"
          aria-disabled={isBusy ? true : undefined}
          onClick={() => {
            if (!isBusy) more()
          }}
        >
          {isBusy ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  )
}
