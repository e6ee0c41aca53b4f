declare	/**/ function a(): void
declare  /**/ abstract	class B {}
abstract  class C {}
class D { declare/**/functions; abstracts }
