/* Shows a flow on a page: <script src=".../flow-builder/embed.js" data-flow="pf_..." data-order="..." data-cart="...">.
   It draws text in a shadow root of its own, sends no credentials, and listens to no messages. */
(function () {
  'use strict';
  var script = document.currentScript;
  if (!script || Object.prototype.hasOwnProperty.call(window, 'QuotientFlow')) return;
  var api = new URL(script.src, document.baseURI).origin + '/flow-builder/';
  var fetchNow = window.fetch.bind(window);
  var CSS = ':host{all:initial;display:block;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a}' +
    '*{box-sizing:border-box}.box{border:1px solid #ccc;border-radius:8px;padding:1rem;max-width:32rem;background:#fff}' +
    'h2{font-size:1.125rem;margin:0 0 .5rem}p{margin:0 0 .75rem;white-space:pre-line}label{display:block;margin:0 0 .75rem}' +
    'input,select{font:inherit;padding:.375rem;max-width:100%}.trap{position:absolute;left:-9999px}' +
    'button{font:inherit;padding:.5rem 1rem;margin:0 .5rem 0 0;border:1px solid #555;border-radius:6px;background:#fff;cursor:pointer}' +
    'button.yes{background:#14532d;border-color:#14532d;color:#fff}button:disabled{opacity:.5}img{max-width:100%;display:block}' +
    'button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid #2563eb;outline-offset:2px}[role=alert]{color:#991b1b}';
  var NOTICES = {
    payment_declined: 'The payment was declined. Nothing was charged.',
    requires_action: 'Please confirm the payment with your bank, then press again.',
    offer_closed: 'This offer is not available any more. Nothing was charged.'
  };

  function element(name, text, cls) {
    var made = document.createElement(name);
    if (text !== undefined && text !== null) made.appendChild(document.createTextNode(String(text)));
    if (cls) made.className = cls;
    return made;
  }

  function isOwnPath(url) {
    return url.charAt(0) === '/' && url.charAt(1) !== '/';
  }

  /* One leading slash, or https without user info; no backslash, blank or control character. */
  function isSafe(url) {
    if (typeof url !== 'string' || /[\u0000-\u0020\u007f-\u009f\\]/.test(url)) return false;
    if (isOwnPath(url)) return true;
    if (url.slice(0, 8) !== 'https://') return false;
    try {
      var read = new URL(url);
      return read.protocol === 'https:' && !read.username && !read.password;
    } catch (_) {
      return false;
    }
  }

  function money(amount, code) {
    try {
      return new Intl.NumberFormat(undefined, { style: 'currency', currency: code.toUpperCase() }).format(amount);
    } catch (_) {
      return amount + ' ' + code.toUpperCase();
    }
  }

  function context() {
    var query = new URLSearchParams(location.search);
    var short = function (text) { return text ? String(text).slice(0, 200) : undefined; };
    var host;
    try { host = document.referrer ? new URL(document.referrer).host : undefined; } catch (_) { host = undefined; }
    return {
      device: window.matchMedia && matchMedia('(max-width: 640px)').matches ? 'mobile' : 'desktop',
      utm_source: short(query.get('utm_source')), utm_campaign: short(query.get('utm_campaign')), referrer_host: short(host)
    };
  }

  function start(options) {
    var name = 'quotient_flow:' + options.flow + ':' + (options.order || options.cart || '');
    var host = document.createElement('div');
    var root = host.attachShadow({ mode: 'closed' });
    var sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    var box = element('section', null, 'box');
    box.setAttribute('aria-live', 'polite');
    root.appendChild(box);
    options.after.parentNode.insertBefore(host, options.after.nextSibling);
    var token = null;
    try { token = sessionStorage.getItem(name); } catch (_) { token = null; }

    function tell(action, key) {
      host.dispatchEvent(new CustomEvent('quotient:flow', { bubbles: true, detail: { action: action, key: key } }));
    }

    /* Presses may be repeated: a repetition gets the first answer. */
    function call(path, body, tries) {
      return fetchNow(api + path, {
        method: 'POST', credentials: 'omit', mode: 'cors', cache: 'no-store', referrerPolicy: 'no-referrer',
        headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
      }).then(function (answer) {
        if (answer.status >= 500 && tries > 1) throw new Error('again');
        return answer.json().then(function (read) { return { status: answer.status, body: read }; });
      }).catch(function (error) {
        if (tries <= 1) throw error;
        return new Promise(function (wait) { setTimeout(wait, 1000); }).then(function () { return call(path, body, tries - 1); });
      });
    }

    function clear() {
      while (box.firstChild) box.removeChild(box.firstChild);
    }

    function field(given) {
      var label = element('label', given.label + (given.required ? ' *' : '') + ' ');
      var input;
      if (given.type === 'choice' || given.type === 'choices') {
        input = element('select');
        input.multiple = given.type === 'choices';
        if (!input.multiple) input.appendChild(element('option', ''));
        given.options.forEach(function (one) { input.appendChild(element('option', one)); });
      } else {
        input = element('input');
        input.type = { email: 'email', phone: 'tel', number: 'number', boolean: 'checkbox', date: 'date' }[given.type] || 'text';
        if (input.type === 'text') input.maxLength = given.max_length;
        if (input.type === 'number') input.step = 'any';
      }
      label.appendChild(input);
      box.appendChild(label);
      return function () {
        if (given.type === 'boolean') return input.checked;
        if (given.type === 'choices') return Array.prototype.map.call(input.selectedOptions, function (one) { return one.value; });
        if (given.type === 'number') return input.value === '' ? null : Number(input.value);
        return input.value;
      };
    }

    function draw(button) {
      clear();
      if (button.notice && NOTICES[button.notice]) {
        var notice = element('p', NOTICES[button.notice]);
        notice.setAttribute('role', 'alert');
        box.appendChild(notice);
      }
      box.appendChild(element('h2', button.title));
      if (button.body) box.appendChild(element('p', button.body));
      if (button.image_url && isSafe(button.image_url)) {
        var image = element('img');
        image.alt = '';
        image.src = isOwnPath(button.image_url) ? new URL(button.image_url, api).href : button.image_url;
        box.appendChild(image);
      }
      var readers = {}, quantity = null, trap = element('input', null, 'trap');
      (button.fields || []).forEach(function (one) { readers[one.key] = field(one); });
      if (button.offer) {
        var offer = button.offer, each = offer.total / offer.quantity;
        box.appendChild(element('p', offer.title + (offer.variant_title ? ', ' + offer.variant_title : '')));
        box.appendChild(element('p', offer.quantity + ' × ' + money(each, offer.currency_code) + ' = ' +
          money(offer.total, offer.currency_code) + (offer.compare_at_total > offer.total
          ? ' (instead of ' + money(offer.compare_at_total, offer.currency_code) + ')' : '')));
        if (offer.max_quantity > 1) {
          var label = element('label', 'Quantity ');
          quantity = element('input');
          quantity.type = 'number';
          quantity.min = 1;
          quantity.max = offer.max_quantity;
          quantity.value = offer.quantity;
          label.appendChild(quantity);
          box.appendChild(label);
        }
      }
      if (button.is_terminal) return;
      trap.tabIndex = -1;
      trap.autocomplete = 'off';
      trap.setAttribute('aria-hidden', 'true');
      box.appendChild(trap);
      function press(verb) {
        var body = { button_id: button.id, session_token: token };
        if (trap.value) body.website = trap.value;
        if (verb === 'accept' && quantity) body.quantity = Number(quantity.value);
        if (verb === 'accept' && button.type === 'question') {
          body.answers = {};
          Object.keys(readers).forEach(function (key) { body.answers[key] = readers[key](); });
        }
        box.querySelectorAll('button').forEach(function (one) { one.disabled = true; });
        call(verb, body, 4).then(function (answer) {
          if (answer.status === 200) return next(verb, button, answer.body);
          fail(button, (answer.body.details || []).map(function (one) { return one.path.replace('answers.', '') + ' ' + one.message; }).join('; '));
        }).catch(function () { fail(button, ''); });
      }
      var accept = element('button', button.accept_label || 'Yes', 'yes');
      accept.addEventListener('click', function () { press('accept'); });
      box.appendChild(accept);
      if (button.type !== 'notice') {
        var decline = element('button', button.decline_label || 'No, thanks');
        decline.addEventListener('click', function () { press('decline'); });
        box.appendChild(decline);
      }
    }

    function fail(button, text) {
      var old = box.querySelector('[role=alert]');
      if (old) box.removeChild(old);
      var told = element('p', text || 'Something went wrong. Please try again.');
      told.setAttribute('role', 'alert');
      box.insertBefore(told, box.firstChild);
      box.querySelectorAll('button').forEach(function (one) { one.disabled = false; });
    }

    function next(verb, button, answer) {
      tell(answer.success ? verb : 'refused', button.key);
      draw(answer.nextButton);
      if (!answer.isTerminal) return;
      tell('completed', answer.nextButton.key);
      if (answer.redirectUrl && isSafe(answer.redirectUrl)) location.assign(answer.redirectUrl);
    }

    return call('init', {
      flow_id: options.flow, cart_id: options.cart || undefined, order_id: options.order || undefined,
      session_token: token || undefined, context: context(), locale: (document.documentElement.lang || '').slice(0, 35) || undefined
    }, 4).then(function (answer) {
      if (answer.status !== 200) { host.remove(); tell('unavailable', null); return; }
      if (answer.body.session.token) token = answer.body.session.token;
      try { sessionStorage.setItem(name, token); } catch (_) { /* The session is found again by its order. */ }
      draw(answer.body.entry_button);
      tell('shown', answer.body.entry_button.key);
    }).catch(function () { host.remove(); });
  }

  Object.defineProperty(window, 'QuotientFlow', {
    value: Object.freeze({
      start: function (options) {
        return start({ flow: options.flow, cart: options.cart, order: options.order, after: options.after || script });
      }
    })
  });
  if (script.dataset.flow) start({ flow: script.dataset.flow, cart: script.dataset.cart, order: script.dataset.order, after: script });
})();
