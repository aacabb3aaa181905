/// Settings that belong together, under one title in help and in the guide.
protocol SettingSection: Sendable {
    static var title: String { get }
    static var settings: [ServerSetting] { get }
}

/// The configuration of a server, whole.
enum ServerSettings {
    static let sections: [any SettingSection.Type] = [
        PlaceSettings.self, ProxySettings.self, ConnectionSettings.self, RequestSettings.self, FileSettings.self,
        ExperimentSettings.self, ObservationSettings.self,
    ]

    static let all: [ServerSetting] = sections.flatMap { $0.settings }
}
