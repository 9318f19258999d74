import nock from 'nock'

/** Refuses calls to real hosts, and fails a test that leaves a mocked answer unused. */
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
