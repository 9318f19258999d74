import nock from 'nock'

/** Lets no call out, and fails a test that leaves an answer unused. */
export function useNock(): void {
  beforeAll(() => {
    nock.disableNetConnect()
  })
  afterEach(() => {
    const unused = nock.pendingMocks()
    nock.cleanAll()
    expect(unused).toEqual([])
  })
  afterAll(() => {
    nock.restore()
  })
}
