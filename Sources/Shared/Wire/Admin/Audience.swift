/// The devices that a release is for. Each list that is not empty must name the device, and the condition must be true of it; an
/// empty audience is everybody.
public struct Audience: Sendable, Hashable, Codable, KeyedBody {
    /// Dotted numbers, such as `2.10.0`: the app's version must be this or later.
    public var appVersionFrom: String?
    /// The app's version must be earlier than this.
    public var appVersionBelow: String?
    /// Lower case: `linux`, `ios`, `android`, …
    public var operatingSystems: [String] = []
    /// BCP 47; `de` also means `de-CH`.
    public var languages: [String] = []
    /// ISO 3166-1 alpha-2, upper case.
    public var countries: [String] = []
    /// The device must have one of them.
    public var tags: [String] = []
    /// In Remote Config's condition language, such as `device.country in ['CH'] && percent <= 10`.
    public var condition: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case appVersionFrom, appVersionBelow, operatingSystems, languages, countries, tags, condition
    }

    /// Everybody.
    public init() {}

    /// A list that the text leaves out is empty.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        appVersionFrom = try values.decodeIfPresent(String.self, forKey: .appVersionFrom)
        appVersionBelow = try values.decodeIfPresent(String.self, forKey: .appVersionBelow)
        operatingSystems = try values.decodeIfPresent([String].self, forKey: .operatingSystems) ?? []
        languages = try values.decodeIfPresent([String].self, forKey: .languages) ?? []
        countries = try values.decodeIfPresent([String].self, forKey: .countries) ?? []
        tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
        condition = try values.decodeIfPresent(String.self, forKey: .condition)
    }

    /// Without empty lists.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(appVersionFrom, forKey: .appVersionFrom)
        try values.encodeIfPresent(appVersionBelow, forKey: .appVersionBelow)
        let lists: [(CodingKeys, [String])] = [
            (.operatingSystems, operatingSystems), (.languages, languages), (.countries, countries), (.tags, tags),
        ]
        for (key, list) in lists where !list.isEmpty { try values.encode(list, forKey: key) }
        try values.encodeIfPresent(condition, forKey: .condition)
    }

    /// Whether every device is in it.
    public var isEverybody: Bool { self == Audience() }
}
