import HearthWire
import Testing

@testable import HearthAPITestSupport

@Suite("Remote Config: shares of installations, through the fetch") struct FetchedShareTests {
    private static let template = #"""
        {"conditions":[
            {"name":"third","expression":"percent('s') <= 33.3"},
            {"name":"middle","expression":"percent between 20 and 80"}],
         "parameters":{
            "third":{"defaultValue":{"value":"out"},"conditionalValues":{"third":{"value":"in"}}},
            "middle":{"defaultValue":{"value":"out"},"conditionalValues":{"middle":{"value":"in"}}}}}
        """#

    private static let installations = (0..<400).map { number in
        FetchingDevice.make(
            FetchingDevice.Client.allCases[number % 3], { $0.id = "d" + String(1_000_000 + number) + "0123456789abcd" })
    }

    private func answers(of service: TestService) throws -> [[String: String]] {
        try Self.installations.map { device in
            try #require(try service.fetch(device)["entries"] as? [String: String])
        }
    }

    @Test("The shares are the configured ones, and the same installation is in them each time, at another server too")
    func shares() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let first = try answers(of: service)
        #expect(try answers(of: service) == first)
        // A change of something else draws nobody anew.
        try service.putTemplate(Self.template.replacing("\"out\"", with: "\"rest\""))
        let changed = try answers(of: service)
        #expect(changed.map { $0.mapValues { $0 == "in" } } == first.map { $0.mapValues { $0 == "in" } })

        let fresh = try TestService()
        try fresh.putTemplate(Self.template)
        #expect(try answers(of: fresh) == first)

        for (key, share) in [("third", 0.333), ("middle", 0.6)] {
            let found = first.count { $0[key] == "in" }
            // 4.5 standard deviations of a binomial draw.
            #expect(
                abs(Double(found) - 400 * share) <= 4.5 * (400 * share * (1 - share)).squareRoot(), "\(key): \(found)")
        }
    }
}
