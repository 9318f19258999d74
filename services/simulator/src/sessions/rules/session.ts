/** One tester's simulation among several in this process; it lasts through every reset. */
export interface Session {
  readonly name: string
  /** The home session, which always exists: it takes requests that name no session and that no other session claims. */
  readonly isHome: boolean
}

export const homeName = 'default'
