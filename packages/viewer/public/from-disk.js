// Browsers do not let a page that was opened from disk load its modules and data; without this, it would stay empty.
if (location.protocol === 'file:') {
  document.getElementById('app').innerHTML = `
    <main class="from-disk">
      <h1>Rolecall</h1>
      <p>This page was exported for a file server and cannot show anything when it is opened from disk: browsers do not let it read the files beside it.</p>
      <p>Serve its folder, e.g. with <code>npx http-server</code>, or export one file that opens by itself: <code>rolecall view … --export report.html</code></p>
      <p lang="zh-CN">这个页面是为文件服务器导出的，从磁盘直接打开时无法显示内容：浏览器不允许它读取旁边的文件。请用文件服务器打开它所在的文件夹，例如
      <code>npx http-server</code>；或者导出可以直接打开的单个文件：<code>rolecall view … --export report.html</code></p>
    </main>`
}
