// Browsers start no worker from a file. The theme's search has one, so where the site is read from a folder, a hidden
// frame takes its place: the script runs in the frame's window, and messages go back and forth as events.
(function () {
  "use strict";
  if (location.protocol !== "file:") return;
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data: data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.ready = new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = resolve;
        inside.document.documentElement.append(script);
      });
      this.inside = inside;
      this.frame = frame;
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data: data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
})();
