import type { ProfileView } from '@malipo/interface/profile'
import { describedBy, Field, Labelled } from '../parts/field'

const themes = ['light', 'dark', 'sunset', 'ocean', 'forest'] as const

export function ProfileFields(props: {
  readonly draft: ProfileView
  readonly change: (changes: Partial<ProfileView>) => void
  readonly errorOf: (name: string) => string | undefined
}) {
  const { draft, change, errorOf } = props
  const bioHint = 'Up to 280 characters.'
  return (
    <>
      <Field
        name="display_name"
        label="Business name"
        maxLength={64}
        value={draft.display_name}
        error={errorOf('display_name')}
        onInput={({ currentTarget }) => {
          change({ display_name: currentTarget.value })
        }}
        required
      />
      <Labelled name="bio" label="About" hint={bioHint} error={errorOf('bio')}>
        <textarea
          id="field-bio"
          name="bio"
          rows={4}
          {...describedBy('bio', bioHint, errorOf('bio'))}
          value={draft.bio ?? ''}
          onInput={({ currentTarget }) => {
            change({ bio: currentTarget.value })
          }}
        />
      </Labelled>
      <ThemeField
        theme={draft.theme}
        onChange={(theme) => {
          change({ theme })
        }}
      />
      <PictureField
        name="profile_image_url"
        label="Picture"
        url={draft.profile_image_url}
        error={errorOf('profile_image_url')}
        onChange={(url) => {
          change({ profile_image_url: url })
        }}
      />
      <PictureField
        name="cover_image_url"
        label="Cover"
        url={draft.cover_image_url}
        error={errorOf('cover_image_url')}
        onChange={(url) => {
          change({ cover_image_url: url })
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          name="accepts_payments"
          checked={draft.accepts_payments}
          onChange={({ currentTarget }) => {
            change({ accepts_payments: currentTarget.checked })
          }}
        />
        Accept payments on my page and links
      </label>
    </>
  )
}

function PictureField(props: {
  readonly name: string
  readonly label: string
  readonly url: string | null
  readonly error: string | undefined
  readonly onChange: (url: string | null) => void
}) {
  const { name, label, url, error, onChange } = props
  return (
    <Field
      name={name}
      label={label}
      type="url"
      hint="An https address. We keep no pictures."
      value={url ?? ''}
      error={error}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value.trim()
        onChange(text === '' ? null : text)
      }}
    />
  )
}

function ThemeField(props: {
  readonly theme: ProfileView['theme']
  readonly onChange: (theme: ProfileView['theme']) => void
}) {
  const { theme, onChange } = props
  return (
    <Labelled name="theme" label="Theme">
      <select
        id="field-theme"
        name="theme"
        value={theme}
        onChange={({ currentTarget }) => {
          onChange(themes.find((known) => known === currentTarget.value) ?? 'light')
        }}
      >
        {themes.map((known) => (
          <option key={known} value={known}>
            {`${known.charAt(0).toUpperCase()}${known.slice(1)}`}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
