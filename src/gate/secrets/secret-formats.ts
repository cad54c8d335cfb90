/** The format of one kind of token: it begins with a prefix, and `rest` follows. No letter stands before it, and no letter or digit after it. */
export type TokenFormat = {
  readonly rule: string;
  readonly prefixes: readonly string[];
  /** Source of a regular expression. Every quantifier is bounded. */
  readonly rest: string;
  /** The least entropy of what follows the prefix, in bits per character, where the format alone does not prove a token; placeholders are none then. */
  readonly entropy?: number;
};

const word = "[A-Za-z0-9]";
const id = "[A-Za-z0-9_-]";
const hex = "[A-Fa-f0-9]";
const base64 = "[A-Za-z0-9+/]";
/** A blank, quote or operator stands before the prefix, which is too short to tell a token inside other text. */
const apart = "(?<=(?<![^\\s=:\"'])[A-Z]{2,3})";

/** Formats that a whole token is proof of: prefix, alphabet and length together occur nowhere else. */
const exact: readonly TokenFormat[] = [
  {
    rule: "aws-access-key",
    prefixes: "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA".split(" "),
    rest: "(?![ACGT]{16})[A-Z0-9]{16}(?<!EXAMPLE)",
  },
  { rule: "aws-access-key", prefixes: ["A3T"], rest: "[A-Z0-9]{17}(?<!EXAMPLE)" },
  { rule: "gitlab-token", prefixes: ["glimt-"], rest: `${id}{25}(?![_-])` },
  { rule: "gitlab-token", prefixes: ["glagent-"], rest: `${id}{50,255}` },
  { rule: "gitlab-token", prefixes: ["gloas-"], rest: `${id}{64}` },
  { rule: "stripe-key", prefixes: ["sk_", "rk_"], rest: `(?:live|test|prod)_${word}{20,255}` },
  { rule: "cloudflare-token", prefixes: ["cfk_", "cfut_", "cfat_"], rest: `${word}{40}[0-9a-f]{8}` },
  { rule: "databricks-token", prefixes: ["dapi"], rest: `${hex}{32}(?:-\\d)?` },
  { rule: "docker-token", prefixes: ["dckr_pat_", "dckr_oat_"], rest: `${id}{27,32}` },
  { rule: "figma-token", prefixes: ["figd_"], rest: `${id}{40,200}` },
  { rule: "groq-key", prefixes: ["gsk_"], rest: `${word}{52}` },
  { rule: "grafana-token", prefixes: ["glc_"], rest: `${base64}{32,400}={0,2}` },
  { rule: "linear-key", prefixes: ["lin_api_"], rest: `${word}{32,128}` },
  { rule: "tailscale-key", prefixes: ["tskey-"], rest: "[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}" },
  { rule: "vercel-token", prefixes: "vcp_ vci_ vca_ vcr_ vck_".split(" "), rest: `${word}{20,60}` },
  { rule: "twilio-key", prefixes: ["SK", "AC"], rest: "[a-z0-9]{32}" },
  { rule: "age-key", prefixes: ["AGE-SECRET-KEY-1"], rest: "[A-Z0-9]{50,64}" },
  { rule: "model-provider-key", prefixes: ["sk-"], rest: `(?:${id}{0,130})T3BlbkFJ${id}{16,130}` },
  { rule: "model-provider-key", prefixes: ["sk-ant-"], rest: `[a-z]{3,8}\\d\\d-${id}{78,128}AA` },
  { rule: "artifactory-key", prefixes: ["AKC"], rest: `${apart}[a-z0-9]{10,100}` },
  { rule: "artifactory-key", prefixes: ["AP"], rest: `${apart}[0-9A-F][a-z0-9]{10,100}` },
];

/** Formats that ordinary text can have as well: the token must look random. */
const random: readonly TokenFormat[] = [
  {
    rule: "github-token",
    prefixes: "ghp_ gho_ ghu_ ghs_ ghr_".split(" "),
    rest: `${word}{36,255}`,
    entropy: 3,
  },
  { rule: "github-token", prefixes: ["github_pat_"], rest: "[A-Za-z0-9_]{50,255}", entropy: 3 },
  {
    rule: "gitlab-token",
    prefixes: "glpat- gldt- glft- glrt- glcbt- glsoat- glffct- GR1348941".split(" "),
    rest: `${id}{20,255}(?:\\.[0-9a-z]{2}[0-9a-z]{7})?`,
    entropy: 3,
  },
  { rule: "gitlab-token", prefixes: ["glptt-"], rest: `${id}{40}(?![_-])`, entropy: 3 },
  {
    rule: "slack-token",
    prefixes: ["xoxb-"],
    rest: `\\d{8,14}-(?:\\d{10,13}[A-Za-z0-9-]{0,80}|${word}{10,48})`,
    entropy: 3,
  },
  {
    rule: "slack-token",
    prefixes: ["xoxp-", "xoxe-"],
    rest: "(?:\\d{8,13}-){3}[A-Za-z0-9-]{28,34}",
    entropy: 2,
  },
  {
    rule: "slack-token",
    prefixes: ["xoxa-", "xoxr-", "xoxe-"],
    rest: `(?:\\d-)?(?=[A-Za-z]{0,60}\\d)${word}{8,200}`,
    entropy: 2.5,
  },
  {
    rule: "slack-token",
    prefixes: ["xoxo-", "xoxs-"],
    rest: "(?:\\d{1,14}-){1,3}[A-Fa-f0-9]{6,80}",
    entropy: 2,
  },
  {
    rule: "slack-token",
    prefixes: ["xapp-"],
    rest: "\\d-[A-Z0-9]{4,40}-\\d{6,20}-[a-z0-9]{20,100}",
    entropy: 2,
  },
  {
    rule: "slack-token",
    prefixes: ["xoxe.xoxb-", "xoxe.xoxp-"],
    rest: "\\d-[A-Za-z0-9]{100,200}",
    entropy: 2,
  },
  {
    rule: "model-provider-key",
    prefixes: ["sk-"],
    rest: `(?:${hex}{32}|${word}{48}|or-v1-${hex}{64})`,
    entropy: 3,
  },
  { rule: "model-provider-key", prefixes: ["xai-"], rest: `${word}{60,100}`, entropy: 3 },
  { rule: "model-provider-key", prefixes: ["pplx-"], rest: `${word}{40,60}`, entropy: 3 },
  { rule: "model-provider-key", prefixes: ["r8_"], rest: `${word}{37,40}`, entropy: 3 },
  { rule: "model-provider-key", prefixes: ["hf_", "api_org_"], rest: "[A-Za-z]{34}", entropy: 3 },
  { rule: "google-api-key", prefixes: ["AIza"], rest: `${id}{35}(?![_-])`, entropy: 3.5 },
  { rule: "google-api-key", prefixes: ["GOCSPX-"], rest: `${id}{28}`, entropy: 3 },
  { rule: "google-api-key", prefixes: ["ya29."], rest: `${id}{30,255}`, entropy: 3 },
  { rule: "stripe-key", prefixes: ["whsec_"], rest: `${base64}{24,255}={0,2}`, entropy: 3 },
  { rule: "npm-token", prefixes: ["npm_"], rest: "[A-Za-z0-9]{36}", entropy: 2 },
  {
    rule: "pypi-token",
    prefixes: ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
    rest: `${id}{50,1000}`,
    entropy: 3,
  },
  {
    rule: "sendgrid-key",
    prefixes: ["SG."],
    rest: "(?=[A-Za-z0-9_=-]{15,40}\\.)[A-Za-z0-9_=.-]{60,72}",
    entropy: 3,
  },
  { rule: "sendinblue-key", prefixes: ["xkeysib-"], rest: `${hex}{64}-${word}{16}`, entropy: 2 },
  { rule: "digitalocean-token", prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"], rest: `${hex}{64}`, entropy: 2 },
  {
    rule: "shopify-token",
    prefixes: "shpat_ shpca_ shppa_ shpss_".split(" "),
    rest: `${word}{32,64}`,
    entropy: 2,
  },
  { rule: "linear-key", prefixes: ["lin_oauth_"], rest: `${word}{32,128}`, entropy: 2 },
  { rule: "grafana-token", prefixes: ["glsa_"], rest: `${word}{32}_${hex}{8}`, entropy: 3 },
  { rule: "notion-token", prefixes: ["ntn_"], rest: `${word}{46}`, entropy: 3 },
  { rule: "vault-token", prefixes: ["hvs.", "hvr."], rest: `${id}{80,120}`, entropy: 3 },
  { rule: "vault-token", prefixes: ["hvb."], rest: `${id}{138,300}`, entropy: 3 },
  {
    rule: "vault-token",
    prefixes: ["s."],
    rest: "(?=[A-Za-z]{0,23}\\d)(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}",
    entropy: 3.5,
  },
  { rule: "terraform-token", prefixes: ["atlasv1."], rest: "[A-Za-z0-9_=-]{60,70}", entropy: 3 },
  {
    rule: "sourcegraph-token",
    prefixes: ["sgp_"],
    rest: `(?:(?:${hex}{16}|local)_)?${hex}{40}`,
    entropy: 3.1,
  },
  {
    rule: "1password-key",
    prefixes: ["A3-"],
    rest: "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    entropy: 3,
  },
  { rule: "1password-key", prefixes: ["ops_ey"], rest: `${base64}{100,1300}={0,3}`, entropy: 4 },
  { rule: "heroku-key", prefixes: ["HRKU-AA"], rest: `${id}{58}`, entropy: 3.5 },
  { rule: "fly-token", prefixes: ["fo1_"], rest: `${id}{43}`, entropy: 3.5 },
  {
    rule: "fly-token",
    prefixes: ["fm1a_", "fm1r_", "fm2_"],
    rest: `${base64}{100,1000}={0,3}`,
    entropy: 3.5,
  },
  { rule: "square-token", prefixes: ["sq0atp-", "sq0csp-"], rest: `${id}{22,60}`, entropy: 2 },
  { rule: "square-token", prefixes: ["EAAA"], rest: `${id}{56,64}`, entropy: 3.5 },
  { rule: "facebook-token", prefixes: ["EAAM", "EAAC"], rest: `${word}{100,400}`, entropy: 4 },
  { rule: "alibaba-key", prefixes: ["LTAI"], rest: `${word}{20}`, entropy: 2 },
  { rule: "adobe-secret", prefixes: ["p8e-"], rest: `${word}{32}`, entropy: 2 },
  {
    rule: "artifactory-key",
    prefixes: ["AKC", "AP"],
    rest: `${apart}[0-9A-Zp](?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{9,100}`,
    entropy: 3,
  },
  { rule: "artifactory-key", prefixes: ["cmVmd"], rest: `${word}{59}`, entropy: 3.5 },
  { rule: "aws-bedrock-key", prefixes: ["ABSK"], rest: `${base64}{109,269}={0,2}`, entropy: 3 },
  {
    rule: "aws-bedrock-key",
    prefixes: ["bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"],
    rest: "[A-Za-z0-9+/=]{20,1300}",
  },
  { rule: "clickhouse-key", prefixes: ["4b1d"], rest: `${word}{38}`, entropy: 3.5 },
  { rule: "clojars-token", prefixes: ["CLOJARS_", "clojars_"], rest: `${word}{60}`, entropy: 2 },
  { rule: "cloudflare-key", prefixes: ["v1.0-"], rest: `${hex}{24}-${hex}{146}`, entropy: 2 },
  {
    rule: "defined-networking-token",
    prefixes: ["dnkey-"],
    rest: "[a-z0-9=_-]{26}-[a-z0-9=_-]{52}",
    entropy: 2,
  },
  { rule: "doppler-token", prefixes: ["dp.pt."], rest: `${word}{43}`, entropy: 2 },
  {
    rule: "duffel-token",
    prefixes: ["duffel_test_", "duffel_live_"],
    rest: "[A-Za-z0-9_=-]{43}",
    entropy: 2,
  },
  { rule: "dynatrace-token", prefixes: ["dt0c01."], rest: `${word}{24}\\.${word}{64}`, entropy: 3 },
  { rule: "easypost-token", prefixes: ["EZAK", "EZTK"], rest: `${word}{54}`, entropy: 2 },
  {
    rule: "flutterwave-key",
    prefixes: ["FLWSECK_TEST-", "FLWSECK-", "FLWPUBK_TEST-"],
    rest: "(?:[A-Ha-h0-9]{32}-X|[A-Ha-h0-9]{12})",
    entropy: 2,
  },
  { rule: "frameio-token", prefixes: ["fio-u-"], rest: "[A-Za-z0-9_=-]{64}", entropy: 2 },
  { rule: "grafana-token", prefixes: ["eyJrIjoi"], rest: `${word}{70,400}={0,3}`, entropy: 3 },
  {
    rule: "harness-key",
    prefixes: ["pat.", "sat."],
    rest: `${id}{22}\\.${word}{24}\\.${word}{20}`,
    entropy: 2,
  },
  { rule: "infracost-token", prefixes: ["ico-"], rest: `${word}{32}`, entropy: 3 },
  { rule: "intra42-secret", prefixes: ["s-s4t2ud-", "s-s4t2af-"], rest: `${hex}{64}`, entropy: 2 },
  { rule: "mapbox-token", prefixes: ["pk.", "sk."], rest: `${word}{60}\\.${word}{22}`, entropy: 2 },
  { rule: "new-relic-key", prefixes: ["NRAK-", "NRII-", "NRJS-"], rest: "[A-Za-z0-9-]{19,32}", entropy: 2 },
  { rule: "octopus-key", prefixes: ["API-"], rest: "(?=[A-Z]{0,25}\\d)[A-Z0-9]{26}", entropy: 3 },
  { rule: "openshift-token", prefixes: ["sha256~"], rest: `${id}{43}`, entropy: 3.5 },
  {
    rule: "plaid-token",
    prefixes: ["access-sandbox-", "access-development-", "access-production-"],
    rest: "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    entropy: 2,
  },
  {
    rule: "planetscale-token",
    prefixes: ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
    rest: "[A-Za-z0-9_=.-]{32,64}",
    entropy: 3,
  },
  { rule: "postman-key", prefixes: ["PMAK-"], rest: `${hex}{24}-${hex}{34}`, entropy: 2 },
  { rule: "prefect-token", prefixes: ["pnu_"], rest: `${word}{36}`, entropy: 2 },
  { rule: "pulumi-token", prefixes: ["pul-"], rest: `${hex}{40}`, entropy: 2 },
  { rule: "readme-token", prefixes: ["rdme_"], rest: `${word}{70}`, entropy: 2 },
  { rule: "rubygems-token", prefixes: ["rubygems_"], rest: `${hex}{48}`, entropy: 2 },
  { rule: "scalingo-token", prefixes: ["tk-us-"], rest: `${id}{48}`, entropy: 2 },
  { rule: "sentry-token", prefixes: ["sntryu_"], rest: `${hex}{64}`, entropy: 3 },
  {
    rule: "sentry-token",
    prefixes: ["sntrys_eyJ"],
    rest: "[A-Za-z0-9+/=]{40,500}_[A-Za-z0-9+/]{43}",
    entropy: 3.5,
  },
  { rule: "settlemint-token", prefixes: ["sm_aat_", "sm_pat_", "sm_sat_"], rest: `${word}{16}`, entropy: 3 },
  { rule: "shippo-token", prefixes: ["shippo_live_", "shippo_test_"], rest: `${hex}{40}`, entropy: 2 },
  { rule: "sonar-token", prefixes: ["squ_", "sqp_", "sqa_"], rest: `${word}{40}`, entropy: 3 },
  { rule: "typeform-token", prefixes: ["tfp_"], rest: "[A-Za-z0-9_.=-]{59}", entropy: 2 },
  { rule: "yandex-token", prefixes: ["AQVN"], rest: `${id}{35,38}`, entropy: 3.5 },
  { rule: "yandex-token", prefixes: ["t1."], rest: `${id}{10,200}={0,2}\\.${id}{86}={0,2}`, entropy: 3 },
  { rule: "airtable-token", prefixes: ["pat"], rest: `${word}{14}\\.[a-f0-9]{64}`, entropy: 2 },
  { rule: "dropbox-token", prefixes: ["sl."], rest: "[A-Za-z0-9_=-]{130,152}", entropy: 3 },
];

/** Every token format. */
export const tokenFormats: readonly TokenFormat[] = [...exact, ...random];

/** Keys that their makers print in documents and samples, by their last eight characters. */
export const publishedKeys: ReadonlySet<string> = new Set(
  "-oo6YyIs Eke8agEM HIAODrlU R_znhrh0 fhixbX4A _UUPwX7c KctWmLd4 jaXeDQgY _a_p4wtM jmdnP5sQ rOq1cS7g FnzAvvuU JmprNXsw aOi4FmqE VL_n0nvY".split(
    " ",
  ),
);
