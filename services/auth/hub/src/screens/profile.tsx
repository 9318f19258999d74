import type { ProfileView } from '@malipo/interface/profile'
import { useState } from 'preact/hooks'
import { ask } from '../api'
import { announce } from '../parts/announcer'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { Failed, Loading } from '../parts/states'
import { useForm } from '../parts/use-form'
import { useLoad } from '../parts/use-load'
import { mySession, session } from '../session'
import { ProfileFields } from './profile-fields'
import { ProfilePreview } from './profile-preview'
import { SocialLinks } from './social-links'

export function Profile() {
  const { loaded, reload } = useLoad<ProfileView>('/profile')
  if (loaded.state === 'loading') return <Loading what="your profile" />
  if (loaded.state === 'failed') return <Failed refusal={loaded.refusal} again={reload} />
  return <Editor profile={loaded.data} />
}

function Editor({ profile }: { readonly profile: ProfileView }) {
  const [draft, setDraft] = useState(profile)
  const [isKept, setKept] = useState(false)
  const change = (changes: Partial<ProfileView>) => {
    setKept(false)
    setDraft((past) => ({ ...past, ...changes }))
  }
  const form = useForm(async () => {
    const { display_name: name } = await ask<ProfileView>('PUT', '/profile', editOf(draft))
    const own = mySession()
    session.value = { ...own, account: { ...own.account, display_name: name } }
    setKept(true)
    announce('Profile saved')
  })
  return (
    <div class="columns">
      <form ref={form.ref} class="card stack" onSubmit={form.submit}>
        <h2>Your public profile</h2>
        <FormNotice refusal={form.refusal} />
        <ProfileFields draft={draft} change={change} errorOf={form.errorOf} />
        <SocialLinks
          links={draft.social_links}
          errorOf={form.errorOf}
          onChange={(links) => {
            change({ social_links: links })
          }}
        />
        {isKept && (
          <Notice kind="good">
            <p>Saved. It is public now.</p>
          </Notice>
        )}
        <button class="button" aria-disabled={form.isBusy ? true : undefined}>
          {form.isBusy ? 'One moment…' : 'Save profile'}
        </button>
      </form>
      <ProfilePreview profile={draft} />
    </div>
  )
}

/** The body of the request, which replaces the whole profile. Each line of the bio is one entry. */
function editOf(draft: ProfileView): object {
  return {
    display_name: draft.display_name,
    bio: (draft.bio ?? '').split('\n'),
    theme: draft.theme,
    ...(draft.profile_image_url !== null && { profile_image_url: draft.profile_image_url }),
    ...(draft.cover_image_url !== null && { cover_image_url: draft.cover_image_url }),
    social_links: draft.social_links,
    accepts_payments: draft.accepts_payments,
  }
}
