/** The drawing library: Python serves its script (`sources.py`), which is not in this folder. Declared is what `picture.js` uses. */
declare const vis: {
  Network: new (container: HTMLElement, data: object, options: object) => any;
  DataSet: new (items?: object[]) => any;
};
export default vis;
