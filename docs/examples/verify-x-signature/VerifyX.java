import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class VerifyX {
    /** header: request::getHeader. url: as registered. body: the raw body, empty for GET. */
    static boolean verifyXSignature(
            String signingKey, UnaryOperator<String> header, String method, String url, byte[] body)
            throws GeneralSecurityException {
        if (signingKey.isEmpty()) return false; // Anyone can sign with an empty key.
        String timestamp = header.apply("x-timestamp");
        String signature = header.apply("x-signature");
        if (timestamp == null || signature == null) return false;
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(body));
        String lines = String.join("\n", timestamp, header.apply("x-nonce"), method, url, hash);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(signingKey.getBytes(UTF_8), "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal(lines.getBytes(UTF_8)));
        return MessageDigest.isEqual(signature.getBytes(UTF_8), expected.getBytes(UTF_8))
                && Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) <= 300;
    }
}
