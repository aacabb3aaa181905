package import HearthWire

extension RemoteConfigTemplate {
    /// The parameters of all groups and of none, by key.
    package var allParameters: [(key: String, group: String?, parameter: RemoteConfigParameter)] {
        let grouped = (parameterGroups ?? [:]).flatMap { name, group in
            (group.parameters ?? [:]).map { (key: $0.key, group: Optional(name), parameter: $0.value) }
        }
        let plain = (parameters ?? [:]).map { (key: $0.key, group: String?.none, parameter: $0.value) }
        return (plain + grouped).sorted { $0.key < $1.key }
    }
}
