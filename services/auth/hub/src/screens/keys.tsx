import type { KeyView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { addressOf } from '../navigation'
import { Badge } from '../parts/badge'
import { Moment } from '../parts/moment'
import { Notice } from '../parts/notice'
import { Empty, Failed, Loading } from '../parts/states'
import { Table } from '../parts/table'
import { useLoad } from '../parts/use-load'
import { mySession } from '../session'
import { CreateKey } from './create-key'
import { IntegrationTabs } from './integration-tabs'
import { UseKey } from './use-key'
import { ask } from '../api'
import { announce } from '../parts/announcer'
import { FormDialog } from '../parts/form-dialog'
import { useForm } from '../parts/use-form'

/** The account's secret key: creates, replaces or revokes it, and never shows it again. */
export function Keys() {
  const { loaded, reload } = useLoad<{ readonly keys: readonly KeyView[] }>('/keys')
  return (
    <>
      <IntegrationTabs />
      {loaded.state === 'loading' && <Loading what="your keys" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && <KeyList keys={loaded.data.keys} reload={reload} />}
    </>
  )
}

function KeyList({
  keys,
  reload,
}: {
  readonly keys: readonly KeyView[]
  readonly reload: () => void
}) {
  const [asking, setAsking] = useState<'create' | 'revoke'>()
  const { has_pin: hasPin } = mySession()
  const live = keys.find((key) => key.revoked_at === null)
  const done = () => {
    setAsking(undefined)
    reload()
  }
  return (
    <>
      <section class="card" aria-labelledby="secret-key">
        <h2 id="secret-key">Secret key</h2>
        <p>
          Your server uses it to sign in. It can make checkouts that pay you and read them, and
          nothing else. Keep it on the server: never in a page, an app or an address.
        </p>
        {!hasPin && (
          <Notice kind="warn">
            <p>
              A key is made with your PIN. <a href={addressOf('/security')}>Set a PIN first</a>
            </p>
          </Notice>
        )}
        <div class="buttons">
          {hasPin && (
            <button
              type="button"
              class={live === undefined ? 'button fitting' : 'button quiet fitting'}
              onClick={() => {
                setAsking('create')
              }}
            >
              {live === undefined ? 'Create key' : 'Replace key'}
            </button>
          )}
          {live !== undefined && (
            <button
              type="button"
              class="button danger fitting"
              onClick={() => {
                setAsking('revoke')
              }}
            >
              Revoke
            </button>
          )}
        </div>
      </section>
      {keys.length === 0 ? <Empty title="No key yet" /> : <KeyTable keys={keys} />}
      {live !== undefined && <UseKey />}
      {asking === 'create' && <CreateKey isReplacing={live !== undefined} onDone={done} />}
      {asking === 'revoke' && <RevokeKey onDone={done} />}
    </>
  )
}

function KeyTable({ keys }: { readonly keys: readonly KeyView[] }) {
  return (
    <Table
      caption="Your keys, newest first"
      rows={keys}
      rowKey={({ key_id: id }) => id}
      columns={[
        { head: 'Key', cell: (key) => <code>{`${key.prefix}…${key.last_four}`}</code> },
        { head: 'Mode', cell: ({ prefix }) => modeOf(prefix) },
        {
          head: 'Status',
          cell: ({ revoked_at: revokedAt }) =>
            revokedAt === null ? (
              <Badge kind="good" text="Active" />
            ) : (
              <Badge kind="calm" text="Revoked" />
            ),
        },
        { head: 'Created', cell: (key) => <Moment at={key.created_at} /> },
        {
          head: 'Last used',
          cell: ({ last_used_at: usedAt }) => (usedAt === null ? 'Never' : <Moment at={usedAt} />),
        },
      ]}
    />
  )
}

/** `Test` or `Live`, by the prefix of a key. */
function modeOf(prefix: string): string {
  return prefix.startsWith('mkp_test_') ? 'Test' : 'Live'
}

/** Revoking needs no PIN: an owner whose key has leaked must not have to look for the PIN. */
function RevokeKey({ onDone }: { readonly onDone: () => void }) {
  const form = useForm(async () => {
    await ask('POST', '/keys/revoke')
    announce('Key revoked')
    onDone()
  })
  const texts = { action: 'Revoke the key', busy: 'Revoking…', close: 'Keep it' }
  return (
    <FormDialog title="Revoke the key?" form={form} {...texts} isDanger onClose={onDone}>
      <p>
        Your server can make and read no more checkouts. The key can keep working for up to a
        minute. Open checkouts can still be paid.
      </p>
    </FormDialog>
  )
}
