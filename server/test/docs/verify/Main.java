import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

class Main {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split(" ", -1);
            Map<String, String> headers = new HashMap<>();
            for (String header : text(fields[6]).split("\n")) {
                String[] pair = header.split(": ", 2);
                if (pair.length == 2) headers.put(pair[0], pair[1]);
            }
            boolean isValid = Verify.verifyWebhook(text(fields[0]), headers::get, bytes(fields[5]));
            boolean isXValid = VerifyX.verifyXSignature(
                    text(fields[1]), headers::get, text(fields[2]), text(fields[3]), bytes(fields[4]));
            System.out.println(isValid + " " + isXValid);
        }
    }

    static byte[] bytes(String field) {
        return Base64.getDecoder().decode(field);
    }

    static String text(String field) {
        return new String(bytes(field), UTF_8);
    }
}
