/// What an import may do on the server.
package struct ImportOptions: Hashable, Sendable {
    /// Gives new versions of models and of the template to all devices.
    package var publishes = false
    /// Changes nothing, and says what would be done.
    package var isDryRun = false

    package init(publishes: Bool = false, isDryRun: Bool = false) {
        self.publishes = publishes
        self.isDryRun = isDryRun
    }
}
