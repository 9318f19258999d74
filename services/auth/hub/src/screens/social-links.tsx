import type { ProfileView } from '@malipo/interface/profile'
import { Field } from '../parts/field'

type Links = ProfileView['social_links']

const linksMax = 10

export function SocialLinks(props: {
  readonly links: Links
  readonly onChange: (links: Links) => void
  readonly errorOf: (name: string) => string | undefined
}) {
  const { links, onChange, errorOf } = props
  const change = (position: number, changes: Partial<Links[number]>) => {
    onChange(links.map((link, index) => (index === position ? { ...link, ...changes } : link)))
  }
  return (
    <fieldset class="stack">
      <legend>Links to you elsewhere</legend>
      {links.map((link, index) => (
        <div class="pair" key={index}>
          <Field
            name={`social_links.${String(index)}.platform`}
            label={`Platform ${String(index + 1)}`}
            placeholder="instagram"
            autocapitalize="none"
            value={link.platform}
            error={errorOf(`social_links.${String(index)}.platform`)}
            onInput={({ currentTarget }) => {
              change(index, { platform: currentTarget.value })
            }}
            required
          />
          <Field
            name={`social_links.${String(index)}.url`}
            label={`Address ${String(index + 1)}`}
            type="url"
            placeholder="https://"
            value={link.url}
            error={errorOf(`social_links.${String(index)}.url`)}
            onInput={({ currentTarget }) => {
              change(index, { url: currentTarget.value })
            }}
            required
          />
          <button
            type="button"
            class="button quiet fitting"
            aria-label={`Remove link ${String(index + 1)}`}
            onClick={() => {
              onChange(links.filter((_, position) => position !== index))
            }}
          >
            Remove
          </button>
        </div>
      ))}
      {links.length < linksMax && (
        <button
          type="button"
          class="button quiet fitting"
          onClick={() => {
            onChange([...links, { platform: '', url: '' }])
          }}
        >
          Add a link
        </button>
      )}
    </fieldset>
  )
}
