import Foundation
import HearthTransport

/// The way to a server for admin calls: through `HEARTH_PROXY`, trusting `HEARTH_CA_FILE`, where these are set.
enum AdminTransport {
    static func make(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> any Transport {
        CurlTransport(configuration: configuration(environment))
    }

    static func configuration(_ environment: [String: String]) -> CurlTransport.Configuration {
        let caFile = environment["HEARTH_CA_FILE"]
        let proxy: CurlTransport.Proxy =
            switch environment["HEARTH_PROXY"] {
            case nil, "": .environment
            case "none": .none
            case .some(let url): .url(url)
            }
        return CurlTransport.Configuration(caFile: caFile?.isEmpty == true ? nil : caFile, proxy: proxy)
    }
}
