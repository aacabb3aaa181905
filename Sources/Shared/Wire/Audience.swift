/// The conditions that a device must meet to get a release. Each list that is not empty must contain the device's
/// value, and `condition` must be true for it; an empty audience includes every device.
public struct Audience: Sendable, Hashable, Codable, KeyedBody {
    /// The app's version must be this or later: numbers with dots, such as `2.10.0`.
    public var appVersionFrom: String?
    /// The app's version must be earlier than this.
    public var appVersionBelow: String?
    /// The operating systems in lower case: `linux`, `ios`, `android`, …
    public var operatingSystems: [String] = []
    /// The languages as BCP 47 tags; `de` also includes `de-CH`.
    public var languages: [String] = []
    /// The countries as ISO 3166-1 alpha-2 codes, in upper case.
    public var countries: [String] = []
    /// The device must have one of them.
    public var tags: [String] = []
    /// An expression in Remote Config's condition language, such as `device.country in ['CH'] && percent <= 10`.
    public var condition: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case appVersionFrom, appVersionBelow, operatingSystems, languages, countries, tags, condition
    }

    /// Makes an audience that includes every device.
    public init() {}

    /// Decodes an audience; a missing list is empty.
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

    /// Encodes the audience without its empty lists.
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

    /// Whether the audience includes every device.
    public var isEverybody: Bool { self == Audience() }
}
