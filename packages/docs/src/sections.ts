/** The navigation. A new page is a Markdown file in `pages/` and its name here. */
export const sections = [
  {
    title: 'Start',
    slugs: ['home', 'quickstart', 'accept-a-payment', 'testing', 'cli', 'going-live'],
  },
  {
    title: 'Guides',
    slugs: [
      'waiting',
      'webhooks',
      'idempotency',
      'limits',
      'cards',
      'pay-bill',
      'uganda',
      'security',
    ],
  },
  { title: 'Reference', slugs: ['reference', 'errors', 'changelog'] },
] as const satisfies readonly { readonly title: string; readonly slugs: readonly string[] }[]

/** These pages are made from the code, and have no file in `pages/`. */
export const generatedSlugs: readonly string[] = ['reference', 'errors']
