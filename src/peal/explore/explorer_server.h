#pragma once

#include <peal/explore/explored_body.h>
#include <peal/explore/http_server.h>
#include <peal/explore/session.h>
#include <peal/explore/solve_jobs.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace peal::explore {

struct ServerSettings {
  int port = 0;                   ///< 0: any free one
  std::filesystem::path program;  ///< `peal`, for modal analyses
};

/// Serves the explorer's page and its bodies to one user on this machine. What is private needs the
/// token of address(), which pages of other origins cannot know.
class ExplorerServer {
 public:
  ExplorerServer(Session session, const ServerSettings& settings);
  ~ExplorerServer();

  std::string address() const;  ///< to open in a browser
  void run(const std::atomic<bool>& stop);

 private:
  /// A body whose modes are being computed.
  struct Pending {
    std::string object;  ///< of a scene, as JSON
    int body = -1;       ///< its number when it is there
    bool loading = false;
    std::string problem;
  };

  HttpResponse answer(HttpRequest& request);
  HttpResponse answer_private(HttpRequest& request);
  HttpResponse solve(HttpRequest& request);
  HttpResponse job(const HttpRequest& request);
  void load(Pending& pending);
  std::filesystem::path stored_mesh(HttpRequest& request);

  std::filesystem::path folder_;  ///< of this process, removed at the end
  std::string token_;
  std::filesystem::path program_;
  std::mutex mutex_;  ///< of all below
  Session session_;
  std::map<int, Pending> pending_;
  int uploads_ = 0;
  SolveJobs jobs_;
  HttpServer server_;
};

}  // namespace peal::explore
