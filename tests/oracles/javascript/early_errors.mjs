// Names of early errors: errors that depend on names, on strict mode or on the inside of a literal, and not on the form of
// a text. Every parser words them differently; what matches nothing here is an error of syntax.

/** Name → the words of acorn, V8 and oxc. */
const MESSAGES = [
  ["undeclared private name", /must be declared in an enclosing class/],
  ["private name", /#\S+' has already been declared|#\S+ has already|Private (identifier|field) '#|Static and instance elements cannot share/],
  ["duplicate __proto__", /Redefinition of __proto__|Duplicate __proto__|Identifier `__proto__` has already/],
  ["let as the name of a let", /let[`']? (is disallowed as a lexically bound name|cannot be declared as a variable name inside)/],
  ["redeclared", /has already been declared|Duplicate identifier/],
  ["duplicate label", /Label '.*' (is|has) already/],
  ["jump", /Unsyntactic (break|continue)|[Uu]ndefined label|Illegal (break|continue) statement|no surrounding iteration|does not denote an iteration|can only jump to a label/],
  ["regular expression", /[Ii]nvalid regular expression|regular expression (flag|literal)|Invalid (capture )?group|Unterminated character class/],
  ["duplicate export", /[Dd]uplicated? export|(Only one|multiple) default export/],
  ["undefined export", /Export '.*' is not defined|is not defined in module|exported binding.*(not|undefined)/],
  ["duplicate constructor", /Duplicate constructor|may only have one constructor|Multiple constructor/],
  ["duplicate parameter", /Argument name clash|Duplicate parameter name/],
  ["duplicate attribute", /[Dd]uplicate (import )?attribute key|Import attributes has a duplicate key/],
  ["super", /'super' (keyword|is only|can only)|super\(\) call outside|Super calls|Invalid use of 'super'/],
  ["new.target", /new\.target.*(can only|outside|expression)/],
  ["arguments in a field", /'arguments' (in class|is only|is not allowed in)/],
  ["delete of a private name", /Private fields can not be deleted|operand of a 'delete' operator cannot be a private/],
  ["use strict beside parameters", /Illegal 'use strict' directive/],
  ["strict mode", /[Ss]trict mode|'with' statements are not allowed|The keyword '(let|static|implements|interface|package|private|protected|public|yield)' is reserved|'0'-prefixed octal|Octal (literals|escape)|Cannot assign to '(eval|arguments)'|identifier is reserved in strict/],
  ["closing tag", /Expected corresponding (JSX )?closing tag|corresponding (JSX )?closing/],
];

/** Name → the codes of Babel's parser. */
const CODES = [
  ["private name", ["PrivateNameRedeclaration"]],
  ["let as the name of a let", ["LetInLexicalBinding"]],
  ["redeclared", ["VarRedeclaration"]],
  ["duplicate label", ["LabelRedeclaration"]],
  ["jump", ["IllegalBreakContinue"]],
  ["duplicate __proto__", ["DuplicateProto"]],
  ["regular expression", ["DuplicateRegExpFlags", "MalformedRegExpFlags", "IncompatibleRegExpUVFlags"]],
  ["duplicate export", ["DuplicateExport", "DuplicateDefaultExport"]],
  ["undefined export", ["ModuleExportUndefined"]],
  ["duplicate constructor", ["DuplicateConstructor"]],
  ["duplicate parameter", ["ParamDupe"]],
  ["duplicate attribute", ["ModuleAttributesWithDuplicateKeys"]],
  ["super", ["SuperNotAllowed", "UnexpectedSuper"]],
  ["new.target", ["UnexpectedNewTarget"]],
  ["arguments in a field", ["ArgumentsInClass"]],
  ["undeclared private name", ["InvalidPrivateFieldResolution"]],
  ["delete of a private name", ["DeletePrivateField"]],
  ["use strict beside parameters", ["IllegalLanguageModeDirective"]],
  ["strict mode", ["StrictDelete", "StrictEvalArguments", "StrictEvalArgumentsBinding", "StrictFunction", "StrictNumericEscape",
    "StrictOctalLiteral", "StrictWith"]],
  ["closing tag", ["MissingClosingTagElement", "MissingClosingTagFragment"]],
];

const BY_CODE = new Map(CODES.flatMap(([name, codes]) => codes.map((code) => [code, name])));
const RESERVED_IN_STRICT_MODE = new Set(["let", "static", "implements", "interface", "package", "private", "protected", "public", "yield"]);

/** Return the name of an early error that a message tells, or null for an error of syntax. */
export function nameOfMessage(message) {
  return MESSAGES.find(([, words]) => words.test(message))?.[0] ?? null;
}

/** Return the name of an early error of Babel's, or null for an error of syntax. */
export function nameOfBabelError(error) {
  if (error.reasonCode === "UnexpectedReservedWord" && RESERVED_IN_STRICT_MODE.has(error.details?.reservedWord)) return "strict mode";
  return BY_CODE.get(error.reasonCode) ?? null;
}
