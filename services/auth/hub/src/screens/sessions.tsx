import type { SignInSessionView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../api'
import { announce } from '../parts/announcer'
import { Badge } from '../parts/badge'
import { FormNotice } from '../parts/form-notice'
import { Moment } from '../parts/moment'
import { Failed, Loading } from '../parts/states'
import { Table } from '../parts/table'
import { useLoad } from '../parts/use-load'
import { leave } from '../session'
import { showBrowser } from '../show'
import { SecurityTabs } from './security-tabs'

export function Sessions() {
  const { loaded, reload } = useLoad<{ readonly sessions: readonly SignInSessionView[] }>(
    '/sessions',
  )
  const [refusal, setRefusal] = useState<Refusal>()
  const end = ({ session_id: id, is_this_one: isThisOne }: SignInSessionView) => {
    const ending = isThisOne ? leave() : ask('POST', `/sessions/${id}/end`)
    setRefusal(undefined)
    void ending.then(
      () => {
        if (isThisOne) return
        announce('Session ended')
        reload()
      },
      (error: unknown) => {
        setRefusal(refusalOf(error))
      },
    )
  }
  return (
    <>
      <SecurityTabs />
      <FormNotice refusal={refusal} />
      {loaded.state === 'loading' && <Loading what="your sessions" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && (
        <Table
          caption="Where you are signed in, newest first"
          rows={loaded.data.sessions}
          rowKey={({ session_id: id }) => id}
          columns={[
            {
              head: 'Browser',
              cell: (row) => (
                <>
                  {showBrowser(row.user_agent)}
                  {row.is_this_one && <Badge kind="good" text="This one" />}
                </>
              ),
            },
            { head: 'Address', cell: ({ address }) => <code class="wrap">{address}</code> },
            { head: 'Signed in', cell: (row) => <Moment at={row.created_at} /> },
            { head: 'Last seen', cell: (row) => <Moment at={row.last_seen_at} /> },
            {
              head: 'End',
              cell: (row) => (
                <button
                  type="button"
                  class="button quiet fitting"
                  onClick={() => {
                    end(row)
                  }}
                >
                  {row.is_this_one ? 'Sign out' : 'End session'}
                </button>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
