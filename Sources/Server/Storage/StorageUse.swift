/// What a store of records tells about its connections to a database, for metrics.
package struct DatabaseUse: Sendable, Hashable {
    /// A set of connections that stay open between calls.
    package struct Pool: Sendable, Hashable {
        /// What the connections are for: `readers`, `writers`, or `coordination` of the servers.
        package let name: String
        package let limit: Int
        package let inUse: Int
        /// Open, and used by no call.
        package let idle: Int
        /// Calls that waited too long for a connection, since the start.
        package let refusals: Int

        package init(name: String, limit: Int, inUse: Int, idle: Int, refusals: Int) {
            self.name = name
            self.limit = limit
            self.inUse = inUse
            self.idle = idle
            self.refusals = refusals
        }
    }

    package let pools: [Pool]
    /// Writes that were repeated because another came in between, since the start.
    package let repeatedWrites: Int

    package init(pools: [Pool], repeatedWrites: Int) {
        self.pools = pools
        self.repeatedWrites = repeatedWrites
    }
}

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
