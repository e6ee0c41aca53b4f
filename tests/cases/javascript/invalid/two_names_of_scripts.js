let static let;
