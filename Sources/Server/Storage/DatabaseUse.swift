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
