/** Shows the word under the pointer below its page at once; without it the browser's own tooltip still does. */
export const POINTER_SCRIPT = `
document.querySelectorAll('.page figure').forEach(function (figure) {
  var caption = figure.querySelector('figcaption');
  figure.addEventListener('pointerover', function (event) {
    var title = event.target.closest('rect') && event.target.closest('rect').querySelector('title');
    caption.textContent = title ? title.textContent : '';
  });
  figure.addEventListener('pointerleave', function () { caption.textContent = ''; });
});
`;
