import Foundation
import HearthRemoteConfigTemplates
import HearthWire
import Testing

struct DefaultsDocumentTests {
    private let template = RemoteConfigTemplate(
        parameters: [
            "b": RemoteConfigParameter(defaultValue: .text("<&> \"ü\"\u{1}")),
            "a": RemoteConfigParameter(defaultValue: .text("1")),
            "left_out": RemoteConfigParameter(defaultValue: .inAppDefault), "none": RemoteConfigParameter(),
        ],
        parameterGroups: [
            "g": RemoteConfigParameterGroup(parameters: ["c": RemoteConfigParameter(defaultValue: .text("3\n4"))])
        ])

    @Test func xmlHasAnEntryForEach() {
        #expect(
            DefaultsDocument.xml.text(template) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <defaultsMap>
                    <entry>
                        <key>a</key>
                        <value>1</value>
                    </entry>
                    <entry>
                        <key>b</key>
                        <value>&lt;&amp;&gt; "ü"</value>
                    </entry>
                    <entry>
                        <key>c</key>
                        <value>3
                4</value>
                    </entry>
                </defaultsMap>

                """)
    }

    @Test func thePropertyListIsOne() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(DefaultsDocument.plist.text(template).utf8), format: nil)
        #expect(list as? [String: String] == ["a": "1", "b": "<&> \"ü\"", "c": "3\n4"])
    }

    @Test func jsonIsAFlatObject() throws {
        let text = DefaultsDocument.json.text(template)
        #expect(
            try WireJSON.decode([String: String].self, from: text.utf8) == [
                "a": "1", "b": "<&> \"ü\"\u{1}", "c": "3\n4",
            ])
    }
}
