/// What a store of model files tells about the remote store below it, for metrics. Counts are since the start.
package struct RemoteStoreUse: Sendable, Hashable {
    /// All requests, with those that were sent again.
    package let requests: Int
    /// Requests that were sent again.
    package let retries: Int
    /// Calls that failed after all tries, without those for an object that does not exist.
    package let failures: Int
    /// Files that were fetched into the local cache.
    package let fetches: Int
    package let cacheBytes: UInt64

    package init(requests: Int, retries: Int, failures: Int, fetches: Int, cacheBytes: UInt64) {
        self.requests = requests
        self.retries = retries
        self.failures = failures
        self.fetches = fetches
        self.cacheBytes = cacheBytes
    }
}
