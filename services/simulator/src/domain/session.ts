/** One tester's world among several in this process; it lasts through every reset. */
export interface Session {
  readonly name: string
  /** The one that is always there: whoever names no session, and whom no other claims, is in it. */
  readonly isHome: boolean
}

export const homeName = 'default'
