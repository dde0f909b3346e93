import ArgumentParser
import Foundation
import Language
import LanguageModel

/// The model that reads messages instead of the rules.
package struct ModelOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Let the model behind this API read instead of the rules.", valueName: "url"))
    package var model: String?
    @Option(help: ArgumentHelp("The model's name there.", valueName: "name")) var modelName = "default"
    @Option(help: ArgumentHelp("A file with the key of the API.", valueName: "file")) var modelKeyFile: String?
    @Option(help: ArgumentHelp("The longest time of one answer, in seconds.", valueName: "seconds"))
    var modelTimeout = 60

    package init() {}

    package func validate() throws {
        guard (1...3600).contains(modelTimeout) else {
            throw ValidationError("--model-timeout: give a number of seconds from 1 to 3600.")
        }
    }

    /// Returns the rules, or the model that was named.
    package func extractor() throws -> any MessageExtractor {
        guard let model else { return Extractor() }
        var key = ""
        if let modelKeyFile {
            guard let data = FileManager.default.contents(atPath: modelKeyFile) else {
                throw Failure(.noFile, "Cannot read the file \(modelKeyFile).", exitCode: .usage)
            }
            key = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return ModelExtractor(url: model, model: modelName, key: key, timeout: .seconds(modelTimeout))
    }
}
