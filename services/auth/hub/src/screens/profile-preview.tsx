import type { ProfileView } from '@malipo/interface/profile'
import { useState } from 'preact/hooks'

export function ProfilePreview({ profile }: { readonly profile: ProfileView }) {
  const {
    display_name: name,
    bio,
    theme,
    profile_image_url: picture,
    social_links: links,
  } = profile
  return (
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p class="soft">
        Apps and sites that show you can show all of this. A payment page says your name and nothing
        more, so that it opens fast and no other site sees who pays.
      </p>
      <div class={`profile-card ${theme}`}>
        <div class="cover">
          <Picture key={profile.cover_image_url} url={profile.cover_image_url} />
        </div>
        <div class="face">
          <span aria-hidden="true">{initialOf(name)}</span>
          <Picture key={picture} url={picture} />
        </div>
        <p class="profile-name">{name}</p>
        <p>@{profile.username}</p>
        {bio !== null && <p class="bio">{bio}</p>}
        <ul>
          {links
            .filter(({ platform }) => platform !== '')
            .map(({ platform }) => (
              <li key={platform}>{platform}</li>
            ))}
        </ul>
        {!profile.accepts_payments && <p>Takes no payments now</p>}
      </div>
    </section>
  )
}

/** Empty where there is no picture or it fails to load: the background shows instead. */
function Picture({ url }: { readonly url: string | null }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing || !isPicture(url)) return null
  return (
    <img
      src={url}
      alt=""
      onError={() => {
        setMissing(true)
      }}
    />
  )
}

function isPicture(url: string | null): url is string {
  return url !== null && url.startsWith('https://') && URL.canParse(url)
}

function initialOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?'
}
