export default class extends Base {} after()
