/** One tester's world among several in this process; it lasts through every reset. */
export interface Session {
  readonly name: string
  /** The one that is always there: a request that names no session, and that no other claims, is in it. */
  readonly isHome: boolean
}

export const homeName = 'default'
