import type { AuditEventPage, AuditEventView } from '@malipo/interface/hub'
import { queryOf } from '../api'
import { Moment } from '../parts/moment'
import { Paged } from '../parts/paged'
import { Empty } from '../parts/states'
import { Table } from '../parts/table'
import { usePages } from '../parts/use-pages'
import { showBrowser } from '../show'
import { SecurityTabs } from './security-tabs'

export function AuditLog() {
  const pages = usePages<AuditEventPage, AuditEventView>({
    key: '',
    path: (last) => `/audit-events${queryOf({ before: last?.event_id })}`,
    rows: ({ events }) => events,
  })
  return (
    <>
      <SecurityTabs />
      <Paged what="the audit log" pages={pages} empty={<Empty title="Nothing has happened yet" />}>
        {(rows) => (
          <Table
            caption="What was done with your account, newest first"
            rows={rows}
            rowKey={({ event_id: id }) => id}
            columns={[
              { head: 'Time', cell: ({ at }) => <Moment at={at} /> },
              {
                head: 'What',
                cell: ({ action, subject }) => (
                  <>
                    {sentences[action] ?? action}
                    {subject !== '' && <p class="soft wrap">{subject}</p>}
                  </>
                ),
              },
              { head: 'Address', cell: ({ address }) => (address === '' ? '–' : address) },
              { head: 'Browser', cell: (event) => showBrowser(event.user_agent) },
            ]}
          />
        )}
      </Paged>
    </>
  )
}

const sentences: Readonly<Record<string, string>> = {
  account_created: 'Account opened',
  profile_edited: 'Profile edited',
  link_created: 'Link made',
  link_closed: 'Link closed',
  password_changed: 'Password changed',
  password_code_given: 'Code for a new password given by support',
  password_codes_refused: 'Wrong codes for a new password',
  password_reset: 'New password set with two codes of support',
  pin_set: 'PIN set',
  pin_changed: 'PIN changed',
  pin_refused: 'Wrong PIN',
  pin_locked: 'Wrong PIN: locked',
  pin_forgotten: 'PIN taken away by support',
  signed_in: 'Signed in',
  sign_in_refused: 'Wrong password',
  signed_out: 'Signed out',
  session_ended: 'Session ended',
  key_asked: 'Secret key asked for',
  key_created: 'Secret key made',
  key_revocation_asked: 'Revocation of the secret key asked for',
  key_revoked: 'Secret key revoked',
  webhook_added: 'Webhook address added',
  webhook_removed: 'Webhook address removed',
  webhook_secret_rotated: 'Webhook secret rotated',
  webhook_switched_on: 'Webhook switched on',
}
